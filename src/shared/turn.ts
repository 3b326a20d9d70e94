import { yieldToEventLoop } from "./abort.ts";

/** The longest time that other work of the process has to wait, in milliseconds. */
const LONGEST_MS = 10;

/** Lets timers, sockets and other work of this process run between many small steps. */
export class Turn {
  #since = performance.now();

  /** Await this after each step. It returns at once until the turn has lasted long enough. */
  async stepDone(): Promise<void> {
    if (performance.now() - this.#since < LONGEST_MS) return;
    await yieldToEventLoop();
    this.#since = performance.now();
  }
}
