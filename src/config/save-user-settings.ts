import writeFileAtomic from "write-file-atomic";
import { makeFolder } from "../shared/files.ts";
import { isPlainObject } from "../shared/json.ts";
import { configPaths, type PathContext } from "./paths.ts";
import { readConfigFile } from "./read-config-file.ts";
import { settingDefinitions } from "./setting-definitions.ts";
import { layerFromFile } from "./setting-layer.ts";

/**
 * Adds top-level settings to the user's config file, preserving others, and makes it accessible
 * only to the owner. Returns its path. Throws invalid_input without changing the file.
 */
export function saveUserSettings(
  location: PathContext,
  changes: Readonly<Record<string, unknown>>,
): string {
  const { userConfigDir, userConfigFile } = configPaths(location);
  const existing = readConfigFile(userConfigFile)?.content ?? {};
  const content = isPlainObject(existing) ? { ...existing, ...changes } : existing;
  layerFromFile(content, { origin: "user", name: userConfigFile }, settingDefinitions());
  makeFolder(userConfigDir);
  writeFileAtomic.sync(userConfigFile, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  return userConfigFile;
}
