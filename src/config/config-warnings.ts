import type { Environment } from "../shared/environment.ts";
import { nearestName } from "../shared/nearest.ts";
import type { KeyQuestion } from "./own-key.ts";
import type { ConfigPaths } from "./paths.ts";
import type { ProjectServers } from "./project-servers.ts";
import type { ConfigFile } from "./read-config-file.ts";
import type { SettingDefinition } from "./setting-definitions.ts";
import type { SettingLayer } from "./setting-layer.ts";
import type { TrustStatus } from "./workspace-trust.ts";

export function trustWarning(
  paths: ConfigPaths,
  trust: TrustStatus["state"],
  ignored: readonly string[],
): string[] {
  if (ignored.length === 0) return [];
  const reason = trust === "changed" ? "has changed since you trusted it" : "is not trusted";
  return [
    `${paths.projectConfigFile} ${reason}, so it cannot set ${ignored.join(", ")}. ` +
      "Look at the file, then run `cairn trust` to accept it.",
  ];
}

/** About the servers of `.mcp.json`, which run only in a trusted project. */
export function serverWarnings(
  { path, entries, problems }: ProjectServers,
  trust: TrustStatus["state"],
): readonly string[] {
  if (trust === "trusted") return problems;
  const names = Object.keys(entries);
  if (names.length === 0 || trust === "declined") return [];
  return [
    `${path} names MCP servers that are not started (${names.join(", ")}), because the project is not trusted. ` +
      "Look at the file, then run `cairn trust` to accept it.",
  ];
}

/** A key stays with the provider that it was made for. */
export function foreignKeyWarning({ key, provider }: KeyQuestion, merged: SettingLayer): string {
  const from = merged.get(key)?.source.name ?? key;
  const value = String(merged.get(provider)?.value ?? "");
  const by = merged.get(provider)?.source.name ?? "the default";
  return (
    `"${key}" of ${from} is not sent to "${value}", the provider that ${by} names: a key goes to ` +
    "the provider of its own place only. Give the key and the provider in the same place."
  );
}

export function exposureWarning(
  file: ConfigFile | undefined,
  layer: SettingLayer,
  definitions: readonly SettingDefinition[],
): string[] {
  const secrets = definitions.filter(({ key, secret }) => secret && layer.has(key));
  if (!file?.isExposed || secrets.length === 0) return [];
  const names = secrets.map(({ key }) => key).join(", ");
  return [`${file.path} holds ${names} and others can read it. Run: chmod 600 ${file.path}`];
}

/** Set by cairn itself for the processes that it starts. */
const HANDED_DOWN = /^CAIRN_(HOOK|CWD|TASK|PLAN)(_|$)/;

/** A misspelt variable would otherwise do nothing, silently. */
export function misspeltVariableWarnings(
  env: Environment,
  definitions: readonly SettingDefinition[],
): string[] {
  const known = definitions.map(({ variable }) => variable.slice("CAIRN_".length).toLowerCase());
  return Object.keys(env)
    .filter((name) => name.startsWith("CAIRN_") && !HANDED_DOWN.test(name))
    .map((name) => ({ name, short: name.slice("CAIRN_".length).toLowerCase() }))
    .filter(({ short }) => !known.includes(short))
    .flatMap(({ name, short }) => {
      const near = nearestName(short, known);
      if (near === undefined) return [];
      return [`${name} is not a setting. Did you mean CAIRN_${near.toUpperCase()}?`];
    });
}
