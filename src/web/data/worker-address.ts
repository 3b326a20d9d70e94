interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(address: string): string },
  ): { createScriptURL(address: string): string };
}

const ASSETS = "/ui/assets/";

/** Address of the map worker as index.html names it. Call once; throws if it names none. */
export function workerAddress(): string {
  const address = document.documentElement.dataset.worker ?? "";
  if (!address.startsWith(ASSETS)) throw new Error(`No worker at ${address}.`);
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  const policy = trustedTypes?.createPolicy("cairn-worker", { createScriptURL: (text) => text });
  return policy?.createScriptURL(address) ?? address;
}
