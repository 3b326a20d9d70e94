import { existsSync } from "node:fs";
import { StoredKeys } from "./kept-keys.ts";

export const KEPT_KEYS_FILE = "keys.json";

/** What `cairn login` kept of a service, as the settings take it; nothing: it kept nothing. */
export function storedKey(
  file: string,
  service: string,
): { readonly apiKey?: string; readonly apiKeyCommand?: string } {
  if (!existsSync(file)) return {};
  const kept = new StoredKeys(file).get(service);
  if (kept === undefined) return {};
  return "key" in kept ? { apiKey: kept.key } : { apiKeyCommand: kept.command.join(" ") };
}
