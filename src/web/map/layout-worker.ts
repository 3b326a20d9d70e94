import { workerAddress } from "../data/worker-address.ts";

/** The worker that lays out maps: started when it is first needed, idle between two maps. */
export class LayoutWorker {
  #worker: Worker | undefined;
  #isImpossible = false;

  /** Undefined where none can be started. */
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
