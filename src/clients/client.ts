import { homedir } from "node:os";
import { join } from "node:path";
import type { Environment } from "../shared/environment.ts";

/** `user`: all of the user's projects. `project`: a file shared in the project. */
export type Scope = "user" | "project";

export interface ServerCommand {
  /** Absolute path, or a program name on every PATH. */
  readonly command: string;
  readonly args: readonly string[];
  /** Variables that clients do not pass on by themselves. */
  readonly env: Readonly<Record<string, string>>;
}

/** `script`: a program file written completely by cairn. */
export type DocumentFormat = "json" | "toml" | "yaml" | "script";

/** A location in a config file that belongs to cairn. */
export type OwnedValue =
  | {
      readonly kind: "value";
      readonly path: readonly string[];
      readonly value: unknown;
      /** True for a value written by cairn, whose additions by the user are preserved. */
      readonly isOurs: (present: unknown) => boolean;
    }
  | {
      /** A list item; `isOurs` identifies cairn's. */
      readonly kind: "item";
      readonly path: readonly string[];
      readonly value: unknown;
      readonly isOurs: (item: unknown) => boolean;
    };

export interface ConfigPart {
  readonly file: string;
  readonly format: DocumentFormat;
  readonly owned: readonly OwnedValue[];
  readonly initial?: Readonly<Record<string, unknown>>;
}

export interface OwnedFile {
  readonly file: string;
  readonly text: string;
}

/** Session events handled by `cairn hook`. */
export const HOOK_EVENTS = [
  "session-start",
  "prompt",
  "tool",
  "compact",
  "stop",
  "session-end",
] as const;

export type HookEvent = (typeof HOOK_EVENTS)[number];

interface HookFile {
  readonly file: (locations: ClientLocations, scope: Scope) => string;
  /** Hook output that shows `context` to the model; undefined if unsupported. */
  readonly answer: (event: HookEvent, context: string) => string | undefined;
  /** The client shows `systemMessage` to the user. */
  readonly showsNotices?: true;
  readonly refuse?: (text: string) => string;
  /** The client drops session-start output, so the first prompt includes it. */
  readonly startsWithPrompt?: true;
  /** The client drops session-start output on resume, so the next prompt includes it. */
  readonly dropsStartOnResume?: true;
  /** The compaction hook runs before every model request. */
  readonly compactsAtEachRequest?: true;
}

export interface ListedHooks extends HookFile {
  /** The client's event names; unsupported events are absent. */
  readonly events: Partial<Readonly<Record<HookEvent, string>>>;
  readonly entry: (hook: HookCommand) => unknown;
  readonly initial?: Readonly<Record<string, unknown>>;
}

/** For clients that load programs; the program runs the command lines. */
export interface ScriptHooks extends HookFile {
  readonly script: (getLine: (event: HookEvent) => string) => string;
}

export type ClientHooks = ListedHooks | ScriptHooks;

export interface HookCommand {
  readonly event: HookEvent;
  readonly name: string;
  readonly line: string;
}

export interface ClientServer {
  readonly format: DocumentFormat;
  /** All configs that the client reads, such as those of an editor and its CLI. */
  readonly files: (locations: ClientLocations, scope: Scope) => readonly string[];
  /** Path of the server map; with `list`, of a list of named entries. */
  readonly path: readonly string[];
  readonly list?: boolean;
  readonly entry: (server: ServerCommand) => Readonly<Record<string, unknown>>;
  /** Parses a server entry; undefined if it is none. */
  readonly read: (entry: unknown) => ServerCommand | undefined;
  readonly initial?: Readonly<Record<string, unknown>>;
}

/** Data about an MCP client that cairn can connect to. */
export interface Client {
  readonly name: string;
  readonly title: string;
  readonly programs: readonly string[];
  readonly traces: (locations: ClientLocations) => readonly string[];
  readonly scopes: readonly Scope[];
  readonly server: ClientServer;
  readonly hooks?: ClientHooks;
  readonly files?: (locations: ClientLocations, scope: Scope) => readonly OwnedFile[];
  /** Entries of other lists in the client's settings. */
  readonly items?: (locations: ClientLocations, scope: Scope) => readonly ConfigPart[];
  /** Sentence about the calls that the config pre-approves. */
  readonly approves?: string;
  readonly afterwards: string;
}

export const SERVER_NAME = "cairn";

export interface ClientLocations {
  readonly env: Environment;
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly project: string;
  /** Config folder of GUI programs: `%APPDATA%`, `~/Library/Application Support` or XDG. */
  readonly applications: string;
  /** Config folder of command-line programs: `%APPDATA%` on Windows, XDG elsewhere. */
  readonly config: string;
}

interface ClientLocationOptions {
  readonly env: Environment;
  readonly cwd: string;
  readonly platform?: NodeJS.Platform;
}

export function findLocations({
  env,
  cwd,
  platform = process.platform,
}: ClientLocationOptions): ClientLocations {
  const home = (platform === "win32" ? env.USERPROFILE : env.HOME) || homedir();
  const roaming = env.APPDATA || join(home, "AppData", "Roaming");
  const config = platform === "win32" ? roaming : env.XDG_CONFIG_HOME || join(home, ".config");
  const applications =
    platform === "darwin" ? join(home, "Library", "Application Support") : config;
  return { env, platform, home, project: cwd, applications, config };
}

/** Command prompts; `args` is the client's placeholder for arguments. */
const MEMORY_COMMANDS = {
  recall: {
    summary: "Search the memory",
    prompt: (args: string) =>
      `Call cairn's \`recall\` with this query and answer from the result; report an empty result: ${args}`,
  },
  remember: {
    summary: "Store something in the memory",
    prompt: (args: string) =>
      `Store this with cairn's \`remember\`, as one self-contained sentence, with a matching type and its entities: ${args}`,
  },
} as const;

/** `/cairn-recall` and `/cairn-remember` as Markdown files with front matter. */
export function memoryCommands(folder: string, args: string): readonly OwnedFile[] {
  return Object.entries(MEMORY_COMMANDS).map(([name, { summary, prompt }]) => ({
    file: join(folder, `cairn-${name}.md`),
    text: `---\ndescription: ${summary}\n---\n\n${prompt(args)}\n`,
  }));
}

export function memoryCommandsInToml(folder: string): readonly OwnedFile[] {
  return Object.entries(MEMORY_COMMANDS).map(([name, { summary, prompt }]) => ({
    file: join(folder, `cairn-${name}.toml`),
    text: `description = ${JSON.stringify(summary)}\nprompt = ${JSON.stringify(prompt("{{args}}"))}\n`,
  }));
}
