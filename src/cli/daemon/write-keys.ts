import type { Once } from "../../memory/index.ts";

const MAX_ITEMS = 100;

export interface OpenQuestion {
  /** Returns an idempotency key for the next write. */
  next(): Once;
  end(isReceived: boolean): void;
}

/**
 * Assigns idempotency keys per request, so that repeating a request after a lost response does not
 * write twice. The next write reports which keys may be forgotten.
 */
export class WriteKeys {
  #settled: string[] = [];

  begin(id: string): OpenQuestion {
    const names: string[] = [];
    return {
      next: () => {
        const name = `${id}.${names.length}`;
        names.push(name);
        return { name, settled: this.#settled };
      },
      end: (isReceived) => {
        if (isReceived) this.#settled = [...names, ...this.#settled].slice(0, MAX_ITEMS);
      },
    };
  }
}
