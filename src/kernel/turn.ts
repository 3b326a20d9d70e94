import { yieldToEventLoop } from "./abort.ts";

/** Others wait for about so long. */
const LONGEST_MS = 10;

/** Work of many small steps, which lets timers, sockets and other work of this process in between. */
export class Turn {
  #since = performance.now();

  /** To be awaited after each step: goes on at once until the turn has taken long enough. */
  async stepDone(): Promise<void> {
    if (performance.now() - this.#since < LONGEST_MS) return;
    await yieldToEventLoop();
    this.#since = performance.now();
  }
}
