import { createHash } from "node:crypto";
import { join } from "node:path";
import { isCairnError, messageOf } from "../shared/errors.ts";
import { isPlainObject, JsonSyntaxError, parseJson } from "../shared/json.ts";
import { readBounded } from "./read-config-file.ts";
import type { LayeredValue, SettingLayer } from "./setting-layer.ts";
import { settingsSchema } from "./settings.ts";

export const SERVERS_KEY = "mcpServers";
const FILE_NAME = ".mcp.json";

/** Servers in a project's `.mcp.json`, which other clients also read. */
export interface ProjectServers {
  readonly path: string;
  readonly entries: Readonly<Record<string, unknown>>;
  /** SHA-256 of the file in hex; undefined without a file. */
  readonly hash: string | undefined;
  readonly problems: readonly string[];
}

/** Never throws, since the file belongs to other clients. */
export function loadProjectServers(projectRoot: string): ProjectServers {
  const path = join(projectRoot, FILE_NAME);
  try {
    const bytes = readBounded(path)?.bytes;
    if (bytes === undefined) return { path, entries: {}, hash: undefined, problems: [] };
    const hash = createHash("sha256").update(bytes).digest("hex");
    return { path, hash, ...readEntries(path, bytes.toString("utf8")) };
  } catch (error) {
    if (!isCairnError(error)) throw error;
    return { path, entries: {}, hash: undefined, problems: [messageOf(error)] };
  }
}

function readEntries(path: string, text: string): Pick<ProjectServers, "entries" | "problems"> {
  const content = parseEntries(text);
  const servers = isPlainObject(content) ? content.mcpServers : undefined;
  if (!isPlainObject(servers)) {
    return { entries: {}, problems: [`${path} has no "mcpServers" object; the file is ignored.`] };
  }
  const entries: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const [name, entry] of Object.entries(servers)) {
    const { error } = settingsSchema.shape.mcpServers.safeParse({ [name]: entry });
    if (error === undefined) entries[name] = entry;
    else {
      const reason = error.issues[0]?.message ?? "not valid";
      problems.push(`${path}: the server "${name}" is ignored: ${reason}.`);
    }
  }
  return { entries, problems };
}

function parseEntries(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

export interface ServerLayers {
  readonly user: SettingLayer;
  readonly project: SettingLayer;
  readonly overrides: SettingLayer;
  /** A trusted project's `.mcp.json`, if any. */
  readonly file: ProjectServers | undefined;
}

/**
 * Combines servers by name; project config overrides `.mcp.json`, which overrides the user's
 * config.
 */
export function combineServers({
  user,
  project,
  overrides,
  file,
}: ServerLayers): LayeredValue | undefined {
  const value = {
    ...addOrigin(user.get(SERVERS_KEY)?.value, "user"),
    ...addOrigin(file?.entries, "project"),
    ...addOrigin(project.get(SERVERS_KEY)?.value, "project"),
    ...addOrigin(overrides.get(SERVERS_KEY)?.value, "user"),
  };
  if (Object.keys(value).length === 0) return undefined;
  const last = overrides.get(SERVERS_KEY) ?? project.get(SERVERS_KEY) ?? user.get(SERVERS_KEY);
  const source = last?.source ?? { origin: "project" as const, name: file?.path ?? "" };
  return { value, source };
}

function addOrigin(servers: unknown, origin: "user" | "project"): Record<string, unknown> {
  if (!isPlainObject(servers)) return {};
  return Object.fromEntries(
    Object.entries(servers).map(([name, entry]) => [
      name,
      isPlainObject(entry) ? { ...entry, origin } : entry,
    ]),
  );
}
