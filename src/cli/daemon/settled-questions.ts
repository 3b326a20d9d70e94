import type { Once } from "../../memory/index.ts";

const MAX_ITEMS = 100;

export interface OpenQuestion {
  /** A name for the next write of the question. */
  next(): Once;
  end(isReceived: boolean): void;
}

/**
 * Names the writes of each question, so that a question asked again after a lost answer does not
 * write twice. Names of received answers may be forgotten; the next write reports them.
 */
export class SettledQuestions {
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
