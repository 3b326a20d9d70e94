import { homedir } from "node:os";
import { join } from "node:path";
import type { Environment } from "../shared/environment.ts";

/** `user`: for all of the user's projects; `project`: a file that everybody on the project shares. */
export type Scope = "user" | "project";

export interface ServerCommand {
  /** Absolute path of a program, or the name of one that is on every PATH. */
  readonly command: string;
  readonly args: readonly string[];
  /** Variables that the server needs and that clients do not hand on by themselves. */
  readonly env: Readonly<Record<string, string>>;
}

/** `script`: a program that cairn writes as a whole. */
export type DocumentFormat = "json" | "toml" | "yaml" | "script";

/** One place in a config file that belongs to cairn. */
export type OwnedValue =
  | {
      readonly kind: "value";
      readonly path: readonly string[];
      readonly value: unknown;
      /** True if what stands there is cairn's, so that what a person added to it is kept. */
      readonly isOurs: (present: unknown) => boolean;
    }
  | {
      /** An item of a list; cairn's own is told from others by `isOurs`. */
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

/** The moments of a session at which `cairn hook` has something to do. */
export const HOOK_EVENTS = [
  "session-start",
  "prompt",
  "tool",
  "compact",
  "stop",
  "session-end",
] as const;

export type HookEvent = (typeof HOOK_EVENTS)[number];

interface HookPlace {
  readonly file: (places: Places, scope: Scope) => string;
  /** Hook output that shows `context` to the model; undefined if the client supports none. */
  readonly answer: (event: HookEvent, context: string) => string | undefined;
  /** The client shows `systemMessage` of a hook's output to the user. */
  readonly showsNotices?: true;
  readonly refuse?: (text: string) => string;
  /** The client drops what is printed at a session's start: the first prompt shows that too. */
  readonly startsWithPrompt?: true;
  /** The client drops the context of a resumed session's start: the next prompt shows it. */
  readonly dropsStartOnResume?: true;
  /** The compaction hook runs before each request to the model, whether it compacts or not. */
  readonly compactsAtEachRequest?: true;
}

export interface ListedHooks extends HookPlace {
  /** The client's names for the moments; one that it does not have is absent. */
  readonly events: Partial<Readonly<Record<HookEvent, string>>>;
  readonly entry: (hook: HookCommand) => unknown;
  readonly initial?: Readonly<Record<string, unknown>>;
}

/** The client loads programs, and this one runs the command lines. */
export interface ScriptHooks extends HookPlace {
  readonly script: (lineOf: (event: HookEvent) => string) => string;
}

export type ClientHooks = ListedHooks | ScriptHooks;

export interface HookCommand {
  readonly event: HookEvent;
  readonly name: string;
  readonly line: string;
}

export interface ClientServer {
  readonly format: DocumentFormat;
  /** Every config that the client reads; more than one where an editor and a command line share a name. */
  readonly files: (places: Places, scope: Scope) => readonly string[];
  /** Path of the map of servers; with `list`, a list of named entries. */
  readonly path: readonly string[];
  readonly list?: boolean;
  readonly entry: (server: ServerCommand) => Readonly<Record<string, unknown>>;
  /** The command in an entry as it stands in the file; undefined when it is not such an entry. */
  readonly read: (entry: unknown) => ServerCommand | undefined;
  readonly initial?: Readonly<Record<string, unknown>>;
}

/** An MCP client that cairn can connect itself to: data alone. */
export interface Client {
  readonly name: string;
  readonly title: string;
  readonly programs: readonly string[];
  readonly traces: (places: Places) => readonly string[];
  /** True if a config in the project is read. */
  readonly scopes: readonly Scope[];
  readonly server: ClientServer;
  readonly hooks?: ClientHooks;
  readonly files?: (places: Places, scope: Scope) => readonly OwnedFile[];
  /** Entries of other lists in the client's settings. */
  readonly items?: (places: Places, scope: Scope) => readonly ConfigPart[];
  /** The calls that the config approves in advance, as a sentence. */
  readonly approves?: string;
  readonly afterwards: string;
}

export const SERVER_NAME = "cairn";

export interface Places {
  readonly env: Environment;
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly project: string;
  /** `%APPDATA%`, `~/Library/Application Support` or the XDG config folder: for programs with a window. */
  readonly applications: string;
  /** The XDG config folder, on macOS too; `%APPDATA%` on Windows: for command-line programs. */
  readonly config: string;
}

interface PlacesOptions {
  readonly env: Environment;
  readonly cwd: string;
  readonly platform?: NodeJS.Platform;
}

export function findPlaces({ env, cwd, platform = process.platform }: PlacesOptions): Places {
  const home = (platform === "win32" ? env.USERPROFILE : env.HOME) || homedir();
  const roaming = env.APPDATA || join(home, "AppData", "Roaming");
  const config = platform === "win32" ? roaming : env.XDG_CONFIG_HOME || join(home, ".config");
  const applications =
    platform === "darwin" ? join(home, "Library", "Application Support") : config;
  return { env, platform, home, project: cwd, applications, config };
}

/** Prompts of the commands; `args` is the client's placeholder for the arguments. */
const MEMORY_COMMANDS = {
  recall: {
    summary: "Search the memory",
    prompt: (args: string) =>
      `Call cairn's \`recall\` with this query and answer from what it returns; say so if it returns nothing: ${args}`,
  },
  remember: {
    summary: "Store something in the memory",
    prompt: (args: string) =>
      `Store this with cairn's \`remember\`, in one sentence that stands alone, with the fitting type and the entities it is about: ${args}`,
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
