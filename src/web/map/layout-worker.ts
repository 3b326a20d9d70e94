import { workerAddress } from "../data/worker-address.ts";

/** Worker that lays out maps; started on first use, then reused. */
export class LayoutWorker {
  #worker: Worker | undefined;
  #isImpossible = false;

  /** Returns undefined if no worker can be started. */
  get(): Worker | undefined {
    if (this.#worker !== undefined || this.#isImpossible) return this.#worker;
    try {
      this.#worker = new Worker(workerAddress(), { type: "module" });
    } catch (error) {
      this.#isImpossible = true;
      console.warn(`The graph is laid out on the main thread: ${String(error)}`);
    }
    return this.#worker;
  }
}
