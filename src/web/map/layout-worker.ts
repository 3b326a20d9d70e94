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

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(address: string): string },
  ): { createScriptURL(address: string): string };
}

const ASSETS = "/ui/assets/";

/** Returns the URL of the map worker from index.html. Call once; throws if there is none. */
function workerAddress(): string {
  const address = document.documentElement.dataset.worker ?? "";
  if (!address.startsWith(ASSETS)) throw new Error(`No worker at ${address}.`);
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  const policy = trustedTypes?.createPolicy("cairn-worker", { createScriptURL: (text) => text });
  return policy?.createScriptURL(address) ?? address;
}
