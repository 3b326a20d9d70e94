import { join } from "node:path";
import type { Environment } from "../../shared/environment.ts";
import type { ServerCommand } from "../index.ts";

export interface OwnCommandOptions {
  readonly packageRoot: string;
  readonly packageName: string;
  readonly version: string;
  readonly node: string;
}

/**
 * Program and first arguments that start cairn without a PATH, with the Node.js for which its
 * native module was built.
 */
export function ownCommand({ packageRoot, node }: OwnCommandOptions): CommandWords {
  return [node, join(packageRoot, "bin", "cairn.js")];
}

/** Starts the server for everybody who has Node.js, from a config file that people share. */
export function sharedCommand({ packageName, version }: OwnCommandOptions): CommandWords {
  return ["npx", "-y", `${packageName}@${version}`];
}

/**
 * Starts a hook from a config file that people share. A hook runs at each tool call, so it calls the
 * installed program and never npx.
 */
export const SHARED_HOOK_COMMAND: CommandWords = ["cairn"];

export type CommandWords = readonly [string, ...string[]];

export interface MemoryPlace {
  readonly dataDir: string | undefined;
  /** Present only if the user named one; otherwise the database follows the client's project. */
  readonly db: string | undefined;
  /**
   * Address of a PostgreSQL server, without a password; undefined: the one in the settings, if any.
   */
  readonly database: string | undefined;
}

export interface ServerOptions {
  readonly own: CommandWords;
  readonly place: MemoryPlace;
  readonly flags: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export function serverCommand({ own, place, flags, env }: ServerOptions): ServerCommand {
  const [command, ...first] = own;
  return { command, args: [...first, "mcp", ...placeFlags(place), ...flags], env };
}

export function placeFlags({ dataDir, db, database }: MemoryPlace): string[] {
  const flags = { "--data-dir": dataDir, "--database": database, "--db": db };
  return Object.entries(flags).flatMap(([flag, value]) =>
    value === undefined ? [] : [flag, value],
  );
}

/** The address without its password, which must not be in a client's config. */
export function withoutPassword(address: string): string {
  return address
    .replace(/^([a-z]+:\/\/[^:@/?#]*):[^@/]*@/i, "$1@")
    .replace(/([?&])password=[^&]*&?/gi, "$1")
    .replace(/[?&]$/, "");
}

/** Variables that have flags, or that a server without a socket and a model does not use. */
const NOT_HANDED_ON = ["CAIRN_DATA_DIR", "CAIRN_DB", "CAIRN_SESSION"];
const MEMORY_SETTINGS = /^CAIRN_(EMBEDDING_|EPISODE_TYPES$|MAX_|DATABASE_)/;

/**
 * Variables of the shell that the memory server reads. Clients start servers without them, so they
 * must be in the entry. Secrets never are; they are only reported by name.
 */
export function handedOnVariables(env: Environment, secrets: readonly string[]) {
  const names = Object.keys(env)
    .filter((name) => MEMORY_SETTINGS.test(name) || name === "XDG_CONFIG_HOME")
    .filter((name) => !NOT_HANDED_ON.includes(name) && (env[name] ?? "") !== "")
    .sort();
  const shown = names.filter((name) => !secrets.includes(name));
  return {
    env: Object.fromEntries(shown.map((name) => [name, env[name] ?? ""])),
    withheld: names.filter((name) => secrets.includes(name)),
  };
}

/** A command line for the shell of the platform's clients. */
export function shellLine(words: readonly string[], platform: NodeJS.Platform): string {
  const quote = platform === "win32" ? quoteForWindows : quoteForPosix;
  return words.map(quote).join(" ");
}

function quoteForPosix(word: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

function quoteForWindows(word: string): string {
  return /^[A-Za-z0-9_@+=:,.\\/-]+$/.test(word) ? word : `"${word.replaceAll('"', '\\"')}"`;
}
