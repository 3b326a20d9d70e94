interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(address: string): string },
  ): { createScriptURL(address: string): string };
}

const ASSETS = "/ui/assets/";

/** Returns the URL of the map worker from index.html. Call once; throws if there is none. */
export function workerAddress(): string {
  const address = document.documentElement.dataset.worker ?? "";
  if (!address.startsWith(ASSETS)) throw new Error(`No worker at ${address}.`);
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  const policy = trustedTypes?.createPolicy("cairn-worker", { createScriptURL: (text) => text });
  return policy?.createScriptURL(address) ?? address;
}
