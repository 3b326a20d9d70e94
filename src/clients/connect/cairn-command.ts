import { join } from "node:path";
import type { Environment } from "../../shared/environment.ts";
import { quoteForShell } from "../../shared/text.ts";
import type { ServerCommand } from "../index.ts";

export interface OwnCommandOptions {
  readonly packageRoot: string;
  readonly packageName: string;
  readonly version: string;
  readonly node: string;
}

/** Starts cairn without PATH, using the Node.js version that its native module was built for. */
export function ownCommand({ packageRoot, node }: OwnCommandOptions): CommandWords {
  return [node, join(packageRoot, "bin", "cairn.js")];
}

/** Server command for shared config files; works wherever Node.js is installed. */
export function sharedCommand({ packageName, version }: OwnCommandOptions): CommandWords {
  return ["npx", "-y", `${packageName}@${version}`];
}

/** Hook command for shared config files. Hooks run at each tool call, so npx would be too slow. */
export const SHARED_HOOK_COMMAND: CommandWords = ["cairn"];

export type CommandWords = readonly [string, ...string[]];

export interface MemoryLocation {
  readonly dataDir: string | undefined;
  /** Set only if the user named a database; otherwise it depends on the client's project. */
  readonly db: string | undefined;
  /** PostgreSQL address without password; undefined for the configured one, if any. */
  readonly database: string | undefined;
}

export interface ServerOptions {
  readonly own: CommandWords;
  readonly location: MemoryLocation;
  readonly flags: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export function serverCommand({ own, location, flags, env }: ServerOptions): ServerCommand {
  const [command, ...first] = own;
  return { command, args: [...first, "mcp", ...locationFlags(location), ...flags], env };
}

export function locationFlags({ dataDir, db, database }: MemoryLocation): string[] {
  const flags = { "--data-dir": dataDir, "--database": database, "--db": db };
  return Object.entries(flags).flatMap(([flag, value]) =>
    value === undefined ? [] : [flag, value],
  );
}

/** Removes the password, which must not be in a client's config. */
export function removePassword(address: string): string {
  return address
    .replace(/^([a-z]+:\/\/[^:@/?#]*):[^@/]*@/i, "$1@")
    .replace(/([?&])password=[^&]*&?/gi, "$1")
    .replace(/[?&]$/, "");
}

/** Variables that have flags or that only the daemon or model use. */
const WITHHELD_VARIABLES = ["CAIRN_DATA_DIR", "CAIRN_DB", "CAIRN_SESSION"];
const MEMORY_SETTINGS = /^CAIRN_(EMBEDDING_|EPISODE_TYPES$|MAX_|DATABASE_)/;

/**
 * Shell variables that the memory server needs in its entry, since clients start servers without
 * them. Secrets are excluded and reported by name.
 */
export function inheritedVariables(env: Environment, secrets: readonly string[]) {
  const names = Object.keys(env)
    .filter((name) => MEMORY_SETTINGS.test(name) || name === "XDG_CONFIG_HOME")
    .filter((name) => !WITHHELD_VARIABLES.includes(name) && (env[name] ?? "") !== "")
    .sort();
  const visible = names.filter((name) => !secrets.includes(name));
  return {
    env: Object.fromEntries(visible.map((name) => [name, env[name] ?? ""])),
    withheld: names.filter((name) => secrets.includes(name)),
  };
}

/** Quotes a command line for the platform's shell. */
export function shellLine(words: readonly string[], platform: NodeJS.Platform): string {
  const quote = platform === "win32" ? quoteForWindows : quoteForPosix;
  return words.map(quote).join(" ");
}

function quoteForPosix(word: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : quoteForShell(word);
}

function quoteForWindows(word: string): string {
  return /^[A-Za-z0-9_@+=:,.\\/-]+$/.test(word) ? word : `"${word.replaceAll('"', '\\"')}"`;
}
