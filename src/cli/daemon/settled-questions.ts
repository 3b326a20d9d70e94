import type { Once } from "../../memory/index.ts";

/** As many as a database is told of at once. */
const MOST = 100;

export interface OpenQuestion {
  /** A name for the question's next write. */
  next(): Once;
  /** The question is over; with `isReceived` nobody will ask it again. */
  end(isReceived: boolean): void;
}

/**
 * Names the writes of each question, so that what is asked again, since its answer did not arrive, is
 * not written again. What has arrived need not be remembered: the next write is told so.
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
        if (isReceived) this.#settled = [...names, ...this.#settled].slice(0, MOST);
      },
    };
  }
}
