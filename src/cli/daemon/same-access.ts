import type { LoadedConfig } from "../../config/index.ts";
import { CairnError } from "../../shared/errors.ts";

/** Embedding providers that access nothing outside the package. */
const OFFLINE_PROVIDERS: readonly string[] = ["minilm", "none"];

/**
 * Restricts a request to the daemon's own settings. The client may be sandboxed or have other
 * settings in its environment, so the daemon must not read folders, reach servers or load models
 * that its user did not configure. Throws forbidden.
 */
export function requireSameAccess(requested: LoadedConfig, own: LoadedConfig): void {
  if (requested.settings.daemon === "off") refuse("daemon");
  if (requested.dataDir !== own.dataDir) refuse("dataDir");
  if (requested.settings.database !== own.settings.database) refuse("database");
  if (requested.settings.database !== undefined && !same("postgres")) refuse("postgres");
  const { provider } = requested.settings.embedding;
  if (!OFFLINE_PROVIDERS.includes(provider) && !same("embedding")) refuse("embedding");

  function same(key: "postgres" | "embedding"): boolean {
    return JSON.stringify(requested.settings[key]) === JSON.stringify(own.settings[key]);
  }
}

function refuse(setting: string): never {
  throw new CairnError("forbidden", `The daemon uses a different ${setting}.`);
}
