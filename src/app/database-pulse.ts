import type { MemoryStore, Standing } from "../memory/index.ts";

/** Many may ask at once: the database is asked no more often. */
const ASKED_AGAIN_MS = 1_000;

const UNREACHABLE: Standing = {
  state: "unreachable",
  message:
    "The server of the databases does not answer: nothing can be read or written. See whether it runs, and what the setting database names.",
};

/** Whether the databases can be reached and used, for whoever watches a server. */
export class DatabasePulse {
  readonly #store: Pick<MemoryStore, "standing" | "isReadOnly">;
  #askedAt = Number.NEGATIVE_INFINITY;
  #answer: Promise<Standing> = Promise.resolve(UNREACHABLE);

  constructor(store: Pick<MemoryStore, "standing" | "isReadOnly">) {
    this.#store = store;
  }

  standing(): Promise<Standing> {
    const now = performance.now();
    if (now - this.#askedAt >= ASKED_AGAIN_MS) {
      this.#askedAt = now;
      this.#answer = this.#ask();
    }
    return this.#answer;
  }

  /** A server that was told to only read needs nothing else of the database. */
  async #ask(): Promise<Standing> {
    try {
      const standing = await this.#store.standing();
      const isEnough = standing.state === "read_only" && this.#store.isReadOnly;
      return isEnough ? { state: "ok", message: "" } : standing;
    } catch {
      return UNREACHABLE;
    }
  }
}
