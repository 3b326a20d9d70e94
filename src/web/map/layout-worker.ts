/** As much of trusted types as a worker needs; browsers without them take the address itself. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(address: string): string },
  ): { createScriptURL(address: string): string };
}

const ASSETS = "/ui/assets/";

/** The worker that lays out maps: started when it is first needed, idle between two maps. */
export class LayoutWorker {
  #worker: Worker | undefined;
  #isImpossible = false;

  /** Undefined where none can be started. */
  get(): Worker | undefined {
    if (this.#worker !== undefined || this.#isImpossible) return this.#worker;
    // The page itself names the file; nothing that is stored can.
    const address = document.documentElement.dataset.worker ?? "";
    const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
    try {
      if (!address.startsWith(ASSETS)) throw new Error(`No worker at ${address}.`);
      const policy = trustedTypes?.createPolicy("cairn-worker", {
        createScriptURL: (text) => text,
      });
      this.#worker = new Worker(policy?.createScriptURL(address) ?? address, { type: "module" });
    } catch (error) {
      this.#isImpossible = true;
      console.warn(`Maps are laid out on the page itself: ${String(error)}`);
    }
    return this.#worker;
  }
}
