import { createHash } from "node:crypto";
import { readdirSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import writeFileAtomic from "write-file-atomic";
import type { Environment } from "../shared/environment.ts";
import { invalidInput, isCairnError, notFound } from "../shared/errors.ts";
import { makeFolder } from "../shared/files.ts";
import { isPlainObject } from "../shared/json.ts";
import { nearestName } from "../shared/nearest.ts";
import { type ConfigPaths, configPaths, type PathContext } from "./paths.ts";
import { loadProjectServers, type ProjectServers } from "./project-servers.ts";
import { type ConfigFile, readBounded, readConfigFile } from "./read-config-file.ts";
import { type SettingDefinition, settingDefinitions } from "./setting-definitions.ts";
import {
  type KeyQuestion,
  layerFromFile,
  projectLayer,
  type SettingLayer,
  trustedOnlyKeys,
} from "./setting-layer.ts";

/** With more files, only their number affects the hash. */
const MAX_COMMANDS = 200;

interface ProjectCommands {
  readonly names: readonly string[];
  /** SHA-256 of names and content in hex; undefined without commands. */
  readonly hash: string | undefined;
}

/** A project's custom commands, which reach the model as user messages. */
function projectCommands(projectRoot: string): ProjectCommands {
  const folder = join(projectRoot, ".cairn", "commands");
  const files = listNames(folder).filter((name) => name.endsWith(".md"));
  if (files.length === 0) return { names: [], hash: undefined };
  const hash = createHash("sha256").update(`${files.length}\0`);
  for (const name of files.slice(0, MAX_COMMANDS)) {
    hash
      .update(`${name}\0`)
      .update(readOrEmpty(join(folder, name)))
      .update("\0");
  }
  const names = files.map((name) => `/${name.slice(0, -".md".length)}`);
  return { names, hash: hash.digest("hex") };
}

function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

function readOrEmpty(path: string): Buffer {
  try {
    return readBounded(path)?.bytes ?? Buffer.alloc(0);
  } catch (error) {
    if (isCairnError(error)) return Buffer.alloc(0);
    throw error;
  }
}

/** Prefix in the trust file of a content hash that the user declined. */
const DECLINED_PREFIX = "declined:";

export interface TrustStatus {
  /**
   * `changed`: trusted, but edited since. `declined`: declined in its current state. `none`: no
   * config or commands.
   */
  readonly state: "none" | "trusted" | "untrusted" | "changed" | "declined";
  readonly projectConfigFile: string;
  readonly asksFor: readonly { readonly key: string; readonly value: unknown }[];
  readonly commands: readonly string[];
  /** Commands and addresses of servers in `.mcp.json`, each after its name. */
  readonly servers: readonly string[];
  /**
   * Number of files in `.cairn/memory`. Their content changes with every pull and is not part of
   * the hash.
   */
  readonly memories: number;
  readonly hash?: string;
}

export function trustStatus(location: PathContext): TrustStatus {
  const paths = configPaths(location);
  const file = readConfigFile(paths.projectConfigFile);
  const { names: commands } = projectCommands(paths.configRoot);
  const hash = contentHash(paths, file);
  const definitions = settingDefinitions();
  const state = trustState(paths, file);
  const { layer } = projectLayer(file, state === "trusted");
  const own = readConfigFile(paths.userConfigFile);
  const user =
    own === undefined
      ? undefined
      : layerFromFile(own.content, { origin: "user", name: own.path }, definitions);
  const secrets = definitions.filter(({ secret }) => secret).map(({ key }) => key);
  return {
    state,
    projectConfigFile: paths.projectConfigFile,
    asksFor: trustedOnlyKeys(layer, { ...(user && { user }), reader: "model" }).map((key) => ({
      key,
      value: secrets.includes(key) ? "(hidden)" : layer.get(key)?.value,
    })),
    commands,
    memories: projectMemories(paths.configRoot),
    servers: Object.entries(loadProjectServers(paths.configRoot).entries).map(([name, entry]) =>
      describeServer(name, entry),
    ),
    ...(hash !== undefined && { hash }),
  };
}

/**
 * Trusts the project's config and commands. `hash` identifies the reviewed state, so that later
 * changes are not trusted. Throws not_found and invalid_input.
 */
export function trustProject(location: PathContext, hash?: string): TrustStatus {
  return recordDecision(location, { hash, prefix: "" });
}

export function declineProject(location: PathContext, hash?: string): TrustStatus {
  return recordDecision(location, { hash, prefix: DECLINED_PREFIX });
}

function recordDecision(
  location: PathContext,
  { hash, prefix }: { readonly hash: string | undefined; readonly prefix: string },
): TrustStatus {
  const paths = configPaths(location);
  const status = trustStatus(location);
  if (status.hash === undefined) {
    throw notFound(`There is nothing to trust: ${paths.projectConfigFile} does not exist.`);
  }
  if (hash !== undefined && hash !== status.hash) {
    throw invalidInput(`${paths.projectConfigFile} has just changed. Review it again.`);
  }
  const known = readTrusted(paths);
  const trusted = { ...known, [realpathSync(paths.configRoot)]: prefix + status.hash };
  makeFolder(dirname(paths.trustFile));
  writeFileAtomic.sync(paths.trustFile, `${JSON.stringify(trusted, null, 2)}\n`, { mode: 0o600 });
  return { ...status, state: prefix === "" ? "trusted" : "declined" };
}

export function trustState(paths: ConfigPaths, file: ConfigFile | undefined): TrustStatus["state"] {
  const hash = contentHash(paths, file);
  if (hash === undefined) return "none";
  const decision = readTrusted(paths)[realpathSync(paths.configRoot)];
  if (decision === hash) return "trusted";
  if (decision === DECLINED_PREFIX + hash) return "declined";
  const wasTrusted = typeof decision === "string" && !decision.startsWith(DECLINED_PREFIX);
  return wasTrusted ? "changed" : "untrusted";
}

/** Includes variables, headers and sandbox exemptions, which affect execution too. */
function describeServer(name: string, entry: unknown): string {
  return `${name}: ${JSON.stringify(entry)}`;
}

/** Hashes config, commands, `.mcp.json` and the presence of memory; undefined if all are absent. */
function contentHash(paths: ConfigPaths, file: ConfigFile | undefined): string | undefined {
  const commands = projectCommands(paths.configRoot).hash;
  const servers = loadProjectServers(paths.configRoot).hash;
  const memories = projectMemories(paths.configRoot) > 0;
  if (commands === undefined && servers === undefined && !memories) return file?.hash;
  const parts = [
    file?.hash ?? "",
    commands ?? "",
    ...(servers === undefined ? [] : [servers]),
    ...(memories ? ["memory"] : []),
  ];
  return createHash("sha256").update(parts.join("\0")).digest("hex");
}

/** Maps a project's real path to the decision and content hash. */
function readTrusted(paths: ConfigPaths): Readonly<Record<string, unknown>> {
  const content = readConfigFile(paths.trustFile)?.content ?? {};
  if (isPlainObject(content)) return content;
  throw invalidInput(
    `${paths.trustFile} is not a list of projects. Delete it and trust the project again.`,
  );
}

function projectMemories(projectRoot: string): number {
  try {
    const entries = readdirSync(join(projectRoot, ".cairn", "memory"), { recursive: true });
    return entries.filter((name) => String(name).endsWith(".md")).length;
  } catch {
    return 0;
  }
}

export function trustWarning(
  paths: ConfigPaths,
  trust: TrustStatus["state"],
  ignored: readonly string[],
): string[] {
  if (ignored.length === 0) return [];
  const reason = trust === "changed" ? "has changed since you trusted it" : "is not trusted";
  return [
    `${paths.projectConfigFile} ${reason}, so it cannot set ${ignored.join(", ")}. ` +
      "Review the file, then run `cairn trust` to accept it.",
  ];
}

/** Servers in `.mcp.json` only run in a trusted project. */
export function serverWarnings(
  { path, entries, problems }: ProjectServers,
  trust: TrustStatus["state"],
): readonly string[] {
  if (trust === "trusted") return problems;
  const names = Object.keys(entries);
  if (names.length === 0 || trust === "declined") return [];
  return [
    `${path} names MCP servers that are not started (${names.join(", ")}), because the project is not trusted. ` +
      "Review the file, then run `cairn trust` to accept it.",
  ];
}

export function foreignKeyWarning({ key, provider }: KeyQuestion, merged: SettingLayer): string {
  const from = merged.get(key)?.source.name ?? key;
  const value = String(merged.get(provider)?.value ?? "");
  const by = merged.get(provider)?.source.name ?? "the default";
  return (
    `"${key}" of ${from} is not sent to "${value}", the provider set by ${by}: a key is only sent to ` +
    "a provider set in the same place. Set the key and the provider together."
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
  return [
    `${file.path} contains ${names} and other users can read it. Run: chmod 600 ${file.path}`,
  ];
}

/** Variables set by cairn for its child processes. */
const INHERITED_VARIABLE = /^CAIRN_(HOOK|CWD|TASK|PLAN)(_|$)/;

/** A misspelled variable would silently have no effect. */
export function misspeltVariableWarnings(
  env: Environment,
  definitions: readonly SettingDefinition[],
): string[] {
  const known = definitions.map(({ variable }) => variable.slice("CAIRN_".length).toLowerCase());
  return Object.keys(env)
    .filter((name) => name.startsWith("CAIRN_") && !INHERITED_VARIABLE.test(name))
    .map((name) => ({ name, short: name.slice("CAIRN_".length).toLowerCase() }))
    .filter(({ short }) => !known.includes(short))
    .flatMap(({ name, short }) => {
      const nearest = nearestName(short, known);
      if (nearest === undefined) return [];
      return [`${name} is not a setting. Did you mean CAIRN_${nearest.toUpperCase()}?`];
    });
}
