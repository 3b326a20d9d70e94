import { CairnError } from "./errors.ts";

/** Resolves after `ms` milliseconds, or rejects with the signal's reason as soon as it aborts. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}

export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/**
 * Waits for all work that runs side by side and returns its results. If some of it fails, the rest is still
 * awaited, so that nothing runs on unseen by the caller; then the first error is thrown.
 */
export async function settleAll<const Work extends readonly Promise<unknown>[]>(
  ...work: Work
): Promise<{ -readonly [Place in keyof Work]: Awaited<Work[Place]> }> {
  await Promise.allSettled(work);
  return Promise.all(work);
}

export interface TimeoutOptions {
  readonly patienceMs: number;
  readonly after?: AbortSignal;
  readonly signal?: AbortSignal | undefined;
}

/** Throws busy on timeout, even if the work ignores its signal. */
export async function withTimeout<T>(
  { patienceMs, after, signal: given }: TimeoutOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const timer: { id?: NodeJS.Timeout } = {};
  const over = new AbortController();
  const isLate = new Promise<never>((_resolve, reject) => {
    const begin = () => {
      timer.id = setTimeout(() => {
        const error = new CairnError("busy", `No response within ${patienceMs} ms.`);
        reject(error);
        late.abort(error);
      }, patienceMs);
    };
    if (after === undefined || after.aborted) begin();
    else after.addEventListener("abort", begin, { once: true, signal: over.signal });
  });
  const signal = given === undefined ? late.signal : AbortSignal.any([given, late.signal]);
  const working = work(signal);
  working.catch(() => undefined);
  try {
    return await Promise.race([working, isLate]);
  } finally {
    clearTimeout(timer.id);
    over.abort();
  }
}

/** The longest time that other work of the process has to wait, in milliseconds. */
const LONGEST_MS = 10;

export class EventLoopYielder {
  #since = performance.now();

  /** Await this after each step. It returns at once until the turn has lasted long enough. */
  async yieldIfDue(): Promise<void> {
    if (performance.now() - this.#since < LONGEST_MS) return;
    await yieldToEventLoop();
    this.#since = performance.now();
  }
}

/** Writing so many rows takes about 10 ms. */
const OF_A_TURN = 250;

/**
 * Runs `body` on slices of at most 250 items, in order. Between them timers, sockets and other work
 * of this process get a turn.
 */
export async function forEachBatch<Item>(
  items: readonly Item[],
  body: (slice: readonly Item[]) => PromiseLike<void>,
): Promise<void> {
  for (let start = 0; start < items.length; start += OF_A_TURN) {
    if (start > 0) await yieldToEventLoop();
    await body(items.slice(start, start + OF_A_TURN));
  }
}

/** SQLite takes a bounded number of parameters in one statement. */
const BATCH = 500;
/** For statements that take their keys as one parameter. */
export const LARGE_BATCH = 10_000;

/**
 * Runs `load` on slices of at most `size` keys and joins the results in order. Other work of this process gets a
 * turn between slices.
 */
export async function loadInBatches<Key, Row>(
  keys: readonly Key[],
  load: (slice: Key[]) => PromiseLike<Row[]>,
  size = BATCH,
): Promise<Row[]> {
  if (keys.length === 0) return [];
  const rows: Row[] = [];
  for (let start = 0; start < keys.length; start += size) {
    if (start > 0) await yieldToEventLoop();
    for (const row of await load(keys.slice(start, start + size))) rows.push(row);
  }
  return rows;
}

/** Work in small steps; the runner decides what happens between them. */
export type Steps<Result> = Generator<undefined, Result>;

/** Runs the steps to their end. Timers, sockets and other work of this process get turns in between. */
export async function stepByStep<Result>(steps: Steps<Result>): Promise<Result> {
  const turn = new EventLoopYielder();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await turn.yieldIfDue();
  }
}
