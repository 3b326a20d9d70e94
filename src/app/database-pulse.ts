import type { DatabaseStatus, MemoryStore } from "../memory/index.ts";

const HEALTH_CACHE_MS = 1_000;

const UNREACHABLE_STATE: DatabaseStatus = {
  state: "unreachable",
  message:
    "The database server does not respond. Check that it is running and that the setting `database` has the right address.",
};

const FULL_CACHE_MS = 30_000;
const STORAGE_FULL_STATUS = 507;

/** Readiness of the databases, for monitoring and load balancers. */
export class DatabasePulse {
  readonly #store: Pick<MemoryStore, "status" | "isReadOnly">;
  #requestedAt = Number.NEGATIVE_INFINITY;
  #fullAt: number | undefined;
  #answer: Promise<DatabaseStatus> = Promise.resolve(UNREACHABLE_STATE);

  constructor(store: Pick<MemoryStore, "status" | "isReadOnly">) {
    this.#store = store;
  }

  /** A full disk makes the server unready until a write succeeds or the retry interval passes. */
  recordResponse({ method, status }: { readonly method: string; readonly status: number }): void {
    if (status === STORAGE_FULL_STATUS) this.#fullAt = performance.now();
    else if (method !== "GET" && status < 300) this.#fullAt = undefined;
  }

  async isReady(): Promise<boolean> {
    const isFull = this.#fullAt !== undefined && performance.now() - this.#fullAt < FULL_CACHE_MS;
    return !isFull && (await this.status()).state === "ok";
  }

  status(): Promise<DatabaseStatus> {
    const now = performance.now();
    if (now - this.#requestedAt >= HEALTH_CACHE_MS) {
      this.#requestedAt = now;
      this.#answer = this.#ask();
    }
    return this.#answer;
  }

  async #ask(): Promise<DatabaseStatus> {
    try {
      const health = await this.#store.status();
      const isEnough = health.state === "read_only" && this.#store.isReadOnly;
      return isEnough ? { state: "ok", message: "" } : health;
    } catch {
      return UNREACHABLE_STATE;
    }
  }
}
