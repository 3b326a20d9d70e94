import { readFileSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import type { Readable } from "node:stream";
import type { App, AppOptions } from "../app/index.ts";
import type { Reader } from "../config/index.ts";
import { configPaths } from "../config/paths.ts";
import type { MemoryEngine, Once, Operation } from "../memory/index.ts";
import { notFound } from "../shared/errors.ts";
import type { Logger } from "../shared/logger.ts";

export interface CommandLine {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: NodeJS.WritableStream & {
    readonly isTTY?: boolean;
    readonly columns?: number;
    readonly rows?: number;
  };
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };
  readonly logger: Logger;
  readonly furtherOperations: readonly Operation[];
  /** Hides variables from processes that inspect this one; set only by the main program. */
  readonly hideEnvironment?: (names: readonly string[]) => boolean;
  /** Set if the daemon runs the command. */
  readonly longRunning?: LongRunningProcess;
  /** Idempotency keys for writes, set if the daemon may have run the command already. */
  readonly once?: () => Once;
  readonly reader: Reader;
  readonly signal: AbortSignal;
}

export interface LongRunningProcess {
  readonly openApp: (options: AppOptions) => App;
  readonly later: (work: () => Promise<void>) => void;
  readonly showPage: (text: string, pager: string) => void;
  readonly signal: AbortSignal;
}

export type ProgramLine = Omit<CommandLine, "reader">;

export type QuickLine = Omit<ProgramLine, "signal">;

export interface GlobalOptions {
  readonly db?: string;
  readonly dataDir?: string;
  readonly database?: string;
  readonly json?: boolean;
  readonly color?: string;
  readonly pager?: boolean;
}

export async function projectLocation(
  { env, cwd, reader }: CommandLine,
  { db, dataDir: input, database }: Readonly<Record<string, unknown>>,
): Promise<{ readonly dataDir: string; readonly project: string }> {
  const { loadConfig } = await import("../config/index.ts");
  const flags = { db, dataDir: input, database };
  const { dataDir, paths } = loadConfig({ flags, env, cwd, reader });
  return { dataDir, project: paths.projectRoot };
}

export async function confirm(
  { stdin, stderr }: Pick<CommandLine, "stdin" | "stderr">,
  question: string,
): Promise<boolean> {
  if (stdin.isTTY !== true) return false;
  const dialogue = createInterface({ input: stdin, output: stderr });
  try {
    const answer = await dialogue.question(`${question} [y/N] `);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    dialogue.close();
  }
}

type Keys = Pick<CommandLine, "stdin" | "stderr" | "signal">;

export async function promptHidden({ stdin, stderr, signal }: Keys, question: string) {
  const terminal = stdin as NodeJS.ReadStream;
  const isTyped = terminal.isTTY === true;
  if (isTyped) {
    stderr.write(question);
    terminal.setRawMode(true);
  }
  let line = "";
  try {
    stdin.setEncoding("utf8");
    for await (const text of stdin) {
      signal.throwIfAborted();
      for (const character of String(text)) {
        if (character === "\r" || character === "\n") return line;
        if (isTyped && (character === "\x03" || character === "\x04")) return undefined;
        if (isTyped && (character === "\x7f" || character === "\b")) line = line.slice(0, -1);
        else line += character;
      }
    }
    return line === "" ? undefined : line;
  } finally {
    if (isTyped) {
      terminal.setRawMode(false);
      stderr.write("\n");
    }
  }
}

/** Variables that announce a screen reader; no standard one exists. */
const SCREEN_READER_VARIABLES = ["ACCESSIBLE", "INK_SCREEN_READER", "VSCODE_A11Y_MODE"];
const FALSE_VALUES = new Set(["", "0", "false", "no", "off"]);

/**
 * True if the flag, the setting or the environment requests screen-reader output. Loads the config
 * only if it mentions the setting, to keep startup fast.
 */
export async function hasScreenReader(
  { env, cwd, reader }: Pick<CommandLine, "env" | "cwd"> & { readonly reader: "person" | "model" },
  flag: boolean,
): Promise<boolean> {
  if (flag) return true;
  const { userConfigFile, projectConfigFile } = configPaths({ env, cwd });
  const isSet =
    env.CAIRN_SCREEN_READER !== undefined ||
    [userConfigFile, projectConfigFile].some((file) => mentionsOption(file, '"screenReader"'));
  if (isSet) {
    const { loadConfig } = await import("../config/index.ts");
    const { screenReader } = loadConfig({ env, cwd, reader }).settings;
    if (screenReader !== undefined) return screenReader;
  }
  return SCREEN_READER_VARIABLES.some((name) => !FALSE_VALUES.has((env[name] ?? "").toLowerCase()));
}

/** Loading the config reports an unreadable file. */
function mentionsOption(file: string, word: string): boolean {
  try {
    return readFileSync(file, "utf8").includes(word);
  } catch {
    return false;
  }
}

export function appOptions(
  { env, cwd, logger, furtherOperations, reader }: CommandLine,
  {
    json: _json,
    color: _color,
    pager: _pager,
    permission: permissionMode,
    ...others
  }: Readonly<Record<string, unknown>>,
): AppOptions {
  // `--permission` is short for `--permission-mode`.
  const flags = { ...others, ...(permissionMode !== undefined && { permissionMode }) };
  return { flags, env, cwd, logger, furtherOperations, reader };
}

export async function withApp<T>(
  line: CommandLine,
  options: GlobalOptions,
  body: (app: App) => Promise<T>,
): Promise<T> {
  const { db, dataDir, database } = options;
  const input = { ...appOptions(line, { db, dataDir, database }), namedMustExist: true };
  const app =
    line.longRunning?.openApp(input) ?? (await import("../app/index.ts")).createApp(input);
  try {
    return await body(app);
  } finally {
    await app.close();
  }
}

export function withMemory<T>(
  line: CommandLine,
  options: GlobalOptions,
  body: (memory: MemoryEngine, app: App) => Promise<T>,
): Promise<T> {
  return withApp(line, options, async (app) => {
    const memory = app.store.open();
    const existed = await memory.isThere();
    const result = await body(memory, app);
    if (!existed && (await memory.isThere())) await reportNewDatabase(line, memory, app);
    return result;
  });
}

/** A database that does not exist was probably mistyped. */
export async function requireExisting(memory: MemoryEngine): Promise<void> {
  if (await memory.isThere()) return;
  throw notFound(
    `There is no database "${memory.name}" yet in ${memory.location}. The first \`cairn remember\` or \`cairn apply\` creates it; \`cairn databases\` lists the existing ones.`,
  );
}

/** A database that was just created may have been mistyped. */
async function reportNewDatabase(
  line: CommandLine,
  { name }: MemoryEngine,
  app: App,
): Promise<void> {
  if (app.config.database.by !== "flag") return;
  const { nearestName } = await import("../shared/nearest.ts");
  const others = (await app.store.list()).flatMap((other) =>
    other.name === name ? [] : [other.name],
  );
  const nearest = nearestName(name, others);
  const hint = nearest === undefined ? "" : ` There is also "${nearest}".`;
  line.stderr.write(`cairn: "${name}" is a new database.${hint}\n`);
}
