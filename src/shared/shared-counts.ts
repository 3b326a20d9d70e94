import type { Clock } from "./clock.ts";

export interface Addition {
  /** Up to 200 characters. */
  readonly key: string;
  /** Index of the period. A later one restarts at zero; an earlier one counts as the latest. */
  readonly period: number;
  readonly added: number;
  readonly most: number;
}

export interface Added {
  readonly isAdded: boolean;
  readonly before: number;
}

/** Counts shared by all servers of a store. A crash loses at most a moment. */
export interface SharedCounts {
  add(addition: Addition): Promise<Added>;
}

export class CountsInMemory implements SharedCounts {
  readonly #counted = new Map<string, { readonly period: number; readonly count: number }>();

  add({ key, period, added, most }: Addition): Promise<Added> {
    const known = this.#counted.get(key);
    const isLater = known === undefined || period > known.period;
    const before = isLater ? 0 : known.count;
    const isAdded = before + added <= most;
    if (isAdded) {
      this.#counted.set(key, { period: isLater ? period : known.period, count: before + added });
    }
    return Promise.resolve({ isAdded, before });
  }
}

/** Retry interval after a failure, with local counts meanwhile. */
const LOCAL_RETRY_MS = 60_000;

/** Falls back to local counts for servers that cannot write. */
export class SharedStoreCounts implements SharedCounts {
  readonly #shared: SharedCounts;
  readonly #clock: Clock;
  readonly #onFailure: (error: unknown) => void;
  readonly #own = new CountsInMemory();
  #aloneUntil = 0;

  constructor(shared: SharedCounts, clock: Clock, onFailure: (error: unknown) => void) {
    this.#shared = shared;
    this.#clock = clock;
    this.#onFailure = onFailure;
  }

  async add(addition: Addition): Promise<Added> {
    if (this.#now() < this.#aloneUntil) return this.#own.add(addition);
    try {
      return await this.#shared.add(addition);
    } catch (error) {
      if (this.#now() >= this.#aloneUntil) this.#onFailure(error);
      this.#aloneUntil = this.#now() + LOCAL_RETRY_MS;
      return this.#own.add(addition);
    }
  }

  #now(): number {
    return this.#clock.now().getTime();
  }
}
