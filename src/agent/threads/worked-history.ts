import { ContextGauge } from "../loop/context-gauge.ts";
import { History } from "../loop/history.ts";

/** The history that runs work on, with its gauge: the thread's own, or for a while one beside it. */
export class WorkedHistory {
  #main: History;
  #current: History;
  #gauge = new ContextGauge();

  constructor(main: History) {
    this.#main = main;
    this.#current = main;
  }

  /** The thread's own, which is kept. */
  get main(): History {
    return this.#main;
  }

  get current(): History {
    return this.#current;
  }

  /** Of the current one. */
  get gauge(): ContextGauge {
    return this.#gauge;
  }

  get isMain(): boolean {
    return this.#current === this.#main;
  }

  /** Goes on with what an earlier start kept. */
  restore(history: History): void {
    this.#main = history;
    this.#current = history;
  }

  /** Another model has another window, and counts tokens in its own way. */
  measureAnew(): void {
    this.#gauge = new ContextGauge();
  }

  /** Runs of the body work on an empty history that nobody keeps. */
  async beside<T>(body: () => Promise<T>): Promise<T> {
    const history = this.#current;
    const gauge = this.#gauge;
    this.#current = new History();
    this.#gauge = new ContextGauge();
    try {
      return await body();
    } finally {
      this.#current = history;
      this.#gauge = gauge;
    }
  }
}
