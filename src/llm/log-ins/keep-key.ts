import type { KeptKeys } from "./kept-keys.ts";
import { keepInKeyring, printedBy, systemKeyring } from "./keyring.ts";

/** Keeps a key in the system's keyring, or else in the file; returns where, for the person. */
export async function keepKey(
  keys: KeptKeys,
  { service, key, withKeyring }: { service: string; key: string; withKeyring: boolean },
): Promise<string> {
  const keyring = withKeyring ? systemKeyring(service) : undefined;
  if (keyring !== undefined && (await keepInKeyring(keyring, key))) {
    keys.put(service, { command: [...keyring.lookUp] });
    return keyring.name;
  }
  keys.put(service, { key });
  return `${keys.path}, which only you can read`;
}

/** Forgets the key of a service, wherever it is; false where there is none. */
export async function forgetKey(keys: KeptKeys, service: string): Promise<boolean> {
  const kept = keys.get(service);
  if (kept === undefined) return false;
  if ("command" in kept) await printedBy(systemKeyring(service)?.remove ?? []);
  keys.remove(service);
  return true;
}
