import { mkdirSync, realpathSync } from "node:fs";
import { dirname } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { invalidInput, notFound } from "../kernel/errors.ts";
import { isPlainObject } from "../kernel/json.ts";
import { type ConfigPaths, configPaths, type Place } from "./paths.ts";
import { type ConfigFile, readConfigFile } from "./read-config-file.ts";
import { settingDefinitions } from "./setting-definitions.ts";
import { layerFromFile } from "./setting-layer.ts";
import { trustedOnlyKeys } from "./trusted-only.ts";

export interface TrustStatus {
  /** `changed`: it was trusted, but its config has been edited since. `none`: it has no config. */
  readonly state: "none" | "trusted" | "untrusted" | "changed";
  readonly projectConfigFile: string;
  /** What the config sets that counts only with trust; a secret's value is hidden. */
  readonly asksFor: readonly { readonly key: string; readonly value: unknown }[];
  /** SHA-256 of the config as it was read. */
  readonly hash?: string;
}

/** Whether the user accepted this project's config as it is now. */
export function trustStatus(place: Place): TrustStatus {
  const paths = configPaths(place);
  const file = readConfigFile(paths.projectConfigFile);
  if (file === undefined) {
    return { state: "none", projectConfigFile: paths.projectConfigFile, asksFor: [] };
  }
  const definitions = settingDefinitions();
  const source = { origin: "project", name: file.path } as const;
  const layer = layerFromFile(file.content, source, definitions);
  const secrets = definitions.filter(({ secret }) => secret).map(({ key }) => key);
  return {
    state: trustState(paths, file),
    projectConfigFile: file.path,
    asksFor: trustedOnlyKeys(layer).map((key) => ({
      key,
      value: secrets.includes(key) ? "(hidden)" : layer.get(key)?.value,
    })),
    hash: file.hash,
  };
}

/**
 * Accepts the project's config. `hash` is that of the text the user was shown, so that a config
 * that changed meanwhile is not accepted unseen. Throws not_found, invalid_input.
 */
export function trustProject(place: Place, hash?: string): TrustStatus {
  const paths = configPaths(place);
  const status = trustStatus(place);
  if (status.hash === undefined) {
    throw notFound(`There is nothing to trust: ${paths.projectConfigFile} does not exist.`);
  }
  if (hash !== undefined && hash !== status.hash) {
    throw invalidInput(`${paths.projectConfigFile} has just changed. Look at it again.`);
  }
  const trusted = { ...readTrusted(paths), [realpathSync(paths.projectRoot)]: status.hash };
  mkdirSync(dirname(paths.trustFile), { recursive: true, mode: 0o700 });
  writeFileAtomic.sync(paths.trustFile, `${JSON.stringify(trusted, null, 2)}\n`, { mode: 0o600 });
  return { ...status, state: "trusted" };
}

export function trustState(
  paths: ConfigPaths,
  file: ConfigFile,
): "trusted" | "untrusted" | "changed" {
  const trusted = readTrusted(paths)[realpathSync(paths.projectRoot)];
  if (trusted === undefined) return "untrusted";
  return trusted === file.hash ? "trusted" : "changed";
}

/** Real path of a project → SHA-256 of the config that was accepted. */
function readTrusted(paths: ConfigPaths): Readonly<Record<string, unknown>> {
  const content = readConfigFile(paths.trustFile)?.content ?? {};
  if (isPlainObject(content)) return content;
  throw invalidInput(`${paths.trustFile} is not a list of projects. Remove it and trust again.`);
}
