import { join } from "node:path";
import type { ServerCommand } from "../clients/index.ts";
import type { Environment } from "../kernel/environment.ts";

export interface OwnCommandOptions {
  /** Folder of the installed package. */
  readonly packageRoot: string;
  /** Name under which the package is published. */
  readonly packageName: string;
  readonly version: string;
  /** The running Node.js. */
  readonly node: string;
  readonly platform: NodeJS.Platform;
}

/**
 * Program and first arguments that start cairn without a PATH, by this very Node.js: the one that
 * its native module was built for. From npx's cache, which is emptied now and then, by npx again.
 */
export function ownCommand(options: OwnCommandOptions): readonly [string, ...string[]] {
  const { packageRoot, packageName, version, node, platform } = options;
  const isPassing = packageRoot.split(/[\\/]/).includes("_npx");
  if (!isPassing) return [node, join(packageRoot, "bin", "cairn.js")];
  const npx = ["npx", "-y", `${packageName}@${version}`] as const;
  return platform === "win32" ? ["cmd", "/c", ...npx] : npx;
}

export interface ServerOptions {
  readonly own: readonly [string, ...string[]];
  readonly dataDir: string;
  /** Named only where the user named one: otherwise it follows the client's project. */
  readonly db: string | undefined;
  readonly flags: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export function serverCommand({ own, dataDir, db, flags, env }: ServerOptions): ServerCommand {
  const [command, ...first] = own;
  return { command, args: [...first, "mcp", ...placeFlags(dataDir, db), ...flags], env };
}

export function placeFlags(dataDir: string, db: string | undefined): string[] {
  return ["--data-dir", dataDir, ...(db === undefined ? [] : ["--db", db])];
}

/** Given by flags, or of no use to a server without a socket and a model. */
const NOT_HANDED_ON = ["CAIRN_DATA_DIR", "CAIRN_DB", "CAIRN_SESSION"];
const MEMORY_SETTINGS = /^CAIRN_(EMBEDDING_|EPISODE_TYPES$|MAX_|DATABASE_)/;

/**
 * Variables of the shell that the memory server obeys. Clients start servers without them, so that
 * they have to stand in the entry. A secret never does: it is named instead.
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

/** A command line for the shell that the platform's clients use. */
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
