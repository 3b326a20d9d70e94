import type { LoadedConfig } from "../../config/index.ts";
import { CairnError } from "../../shared/errors.ts";

/** Embedding providers that reach nothing outside the package. */
const REACH_NOTHING: readonly string[] = ["minilm", "none"];

/**
 * Checks that a question needs nothing beyond the daemon's own settings. The asking process may be confined,
 * and its settings may come from its environment, so the daemon must not read folders, reach servers or load
 * models that its own user has not set for it. Throws forbidden.
 */
export function requireSameReach(asked: LoadedConfig, own: LoadedConfig): void {
  if (asked.settings.daemon === "off") refuse("daemon");
  if (asked.dataDir !== own.dataDir) refuse("dataDir");
  if (asked.settings.database !== own.settings.database) refuse("database");
  if (asked.settings.database !== undefined && !same("postgres")) refuse("postgres");
  const { provider } = asked.settings.embedding;
  if (!REACH_NOTHING.includes(provider) && !same("embedding")) refuse("embedding");

  function same(key: "postgres" | "embedding"): boolean {
    return JSON.stringify(asked.settings[key]) === JSON.stringify(own.settings[key]);
  }
}

function refuse(setting: string): never {
  throw new CairnError("forbidden", `The daemon was started with another ${setting}.`);
}
