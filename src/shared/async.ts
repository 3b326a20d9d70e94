import { CairnError } from "./errors.ts";

/** Rejects with the signal's reason on abort. */
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
 * Waits for all concurrent work and returns the results. On failure, waits for the rest, then
 * throws the first error.
 */
export async function settleAll<const Work extends readonly Promise<unknown>[]>(
  ...work: Work
): Promise<{ -readonly [Place in keyof Work]: Awaited<Work[Place]> }> {
  await Promise.allSettled(work);
  return Promise.all(work);
}

export interface TimeoutOptions {
  readonly timeoutMs: number;
  readonly after?: AbortSignal;
  readonly signal?: AbortSignal | undefined;
}

/** Throws busy on timeout, even if the work ignores its signal. */
export async function withTimeout<T>(
  { timeoutMs, after, signal: input }: TimeoutOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const timer: { id?: NodeJS.Timeout } = {};
  const over = new AbortController();
  const isLate = new Promise<never>((_resolve, reject) => {
    const begin = () => {
      timer.id = setTimeout(() => {
        const error = new CairnError("busy", `No response within ${timeoutMs} ms.`);
        reject(error);
        late.abort(error);
      }, timeoutMs);
    };
    if (after === undefined || after.aborted) begin();
    else after.addEventListener("abort", begin, { once: true, signal: over.signal });
  });
  const signal = input === undefined ? late.signal : AbortSignal.any([input, late.signal]);
  const working = work(signal);
  working.catch(() => undefined);
  try {
    return await Promise.race([working, isLate]);
  } finally {
    clearTimeout(timer.id);
    over.abort();
  }
}

/** Milliseconds after which to yield to the event loop. */
const MAX_SLICE_MS = 10;

export class EventLoopYielder {
  #since = performance.now();

  /** Await after each step; yields only once the interval has passed. */
  async yieldIfDue(): Promise<void> {
    if (performance.now() - this.#since < MAX_SLICE_MS) return;
    await yieldToEventLoop();
    this.#since = performance.now();
  }
}

/** Writing this many rows takes about 10 ms. */
const YIELD_BATCH_SIZE = 250;

/** Processes items in order, in slices of 250, and yields to the event loop in between. */
export async function forEachBatch<Item>(
  items: readonly Item[],
  body: (slice: readonly Item[]) => PromiseLike<void>,
): Promise<void> {
  for (let start = 0; start < items.length; start += YIELD_BATCH_SIZE) {
    if (start > 0) await yieldToEventLoop();
    await body(items.slice(start, start + YIELD_BATCH_SIZE));
  }
}

/** Below SQLite's limit of parameters per statement. */
const BATCH_SIZE = 500;
/** For statements that take their keys as one parameter. */
export const LARGE_BATCH_SIZE = 10_000;

/**
 * Loads keys in slices of `size`, joins the results in order, and yields to the event loop in
 * between.
 */
export async function loadInBatches<Key, Row>(
  keys: readonly Key[],
  load: (slice: Key[]) => PromiseLike<Row[]>,
  size = BATCH_SIZE,
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

/** Runs all steps, yielding to the event loop when due. */
export async function runSteps<Result>(steps: Steps<Result>): Promise<Result> {
  const turn = new EventLoopYielder();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await turn.yieldIfDue();
  }
}
