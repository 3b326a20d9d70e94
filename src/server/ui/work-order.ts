/** Runs one client's messages in the order that they depend on each other. */
export class WorkOrder {
  readonly #tails = new Map<string, Promise<void>>();
  #count = 0;

  /** Tasks that have not ended yet. */
  get pending(): number {
    return this.#count;
  }

  /** After the earlier tasks of the same thread; other threads do not wait for each other. */
  runOn(threadId: string, task: () => Promise<void>): Promise<void> {
    const earlier = this.#tails.get(threadId);
    const run = this.#track(earlier === undefined ? task() : earlier.then(task));
    this.#tails.set(threadId, run);
    const forget = () => {
      if (this.#tails.get(threadId) === run) this.#tails.delete(threadId);
    };
    run.then(forget, forget);
    return run;
  }

  /** After everything that came before. */
  runLast(task: () => Promise<void>): Promise<void> {
    return this.#track(Promise.allSettled(this.#tails.values()).then(task));
  }

  async #track(run: Promise<void>): Promise<void> {
    this.#count += 1;
    try {
      await run;
    } finally {
      this.#count -= 1;
    }
  }
}
