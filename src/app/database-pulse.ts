import type { MemoryStore } from "../memory/index.ts";

/** Many may ask at once: the database is asked no more often. */
const ASKED_AGAIN_MS = 1_000;

/** Whether the databases can be reached, for whoever watches a server. */
export class DatabasePulse {
  readonly #store: Pick<MemoryStore, "isReachable">;
  #askedAt = Number.NEGATIVE_INFINITY;
  #answer: Promise<boolean> = Promise.resolve(false);

  constructor(store: Pick<MemoryStore, "isReachable">) {
    this.#store = store;
  }

  isThere(): Promise<boolean> {
    const now = performance.now();
    if (now - this.#askedAt >= ASKED_AGAIN_MS) {
      this.#askedAt = now;
      this.#answer = this.#store.isReachable();
    }
    return this.#answer;
  }
}
