/** Maximum wait of a recall for vectors while other recalls are waiting. */
const TIMEOUT_MS = 5_000;

interface Batch {
  readonly made: Promise<number>;
  readonly stop: AbortController;
  waiting: number;
}

export class WaitingRecalls {
  readonly #timeoutMs: number;
  readonly #waits = new Set<RecallWait>();

  constructor(timeoutMs: number = TIMEOUT_MS) {
    this.#timeoutMs = timeoutMs;
  }

  async during<T>(work: (wait: RecallWait) => Promise<T>): Promise<T> {
    const wait = new RecallWait(this.#timeoutMs);
    this.#waits.add(wait);
    if (this.#waits.size > 1) for (const each of this.#waits) each.startTimeout();
    try {
      return await work(wait);
    } finally {
      this.#waits.delete(wait);
    }
  }
}

export class RecallWait {
  readonly #until: number;
  #isShared = false;
  #look = () => {};

  constructor(timeoutMs: number) {
    this.#until = performance.now() + timeoutMs;
  }

  get isOver(): boolean {
    return this.#isShared && performance.now() >= this.#until;
  }

  startTimeout(): void {
    this.#isShared = true;
    this.#look();
  }

  /** Resolves with the result, or with undefined after the timeout or abort. The work continues. */
  async for<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T | undefined> {
    const ended = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<T | undefined>((resolve, reject) => {
        const leave = () => resolve(undefined);
        this.#look = () => {
          clearTimeout(timer);
          if (this.isOver) leave();
          else if (this.#isShared) {
            // Timers count from the start of the event-loop turn and may fire early.
            timer = setTimeout(this.#look, Math.max(1, this.#until - performance.now()));
          }
        };
        this.#look();
        signal?.addEventListener("abort", leave, { once: true, signal: ended.signal });
        if (signal?.aborted === true) leave();
        work.then(resolve, reject);
      });
    } finally {
      this.#look = () => {};
      clearTimeout(timer);
      ended.abort();
    }
  }
}

export class SharedBatch {
  #current: Batch | undefined;

  /**
   * Waits for the current batch or starts one with `begin`, and returns its size; undefined after
   * the timeout or abort. A batch is aborted once all waiters gave up.
   */
  async wait(
    begin: (signal: AbortSignal) => Promise<number>,
    { wait, signal }: { readonly wait: RecallWait; readonly signal: AbortSignal | undefined },
  ): Promise<number | undefined> {
    this.#current ??= this.#begin(begin);
    const batch = this.#current;
    batch.waiting += 1;
    try {
      return await wait.for(batch.made, signal);
    } finally {
      batch.waiting -= 1;
      if (signal?.aborted === true && batch.waiting === 0) this.#abort(batch, signal.reason);
    }
  }

  #begin(begin: (signal: AbortSignal) => Promise<number>): Batch {
    const stop = new AbortController();
    const batch: Batch = { made: begin(stop.signal), stop, waiting: 0 };
    const end = () => {
      if (this.#current === batch) this.#current = undefined;
    };
    batch.made.then(end, end);
    return batch;
  }

  #abort(batch: Batch, reason: unknown): void {
    if (this.#current === batch) this.#current = undefined;
    batch.stop.abort(reason);
  }
}
