/**
 * First step of `bin/cairn.js`: forwards the command to the daemon if one runs. Imports only
 * Node.js modules to start fast.
 */

import { readFileSync, realpathSync } from "node:fs";
import type { Socket } from "node:net";
import { homedir, tmpdir } from "node:os";
import { dirname, isAbsolute, join, relative } from "node:path";
import { isatty } from "node:tty";
import { readPayload } from "../../shared/read-payload.ts";
import type { DaemonRequest, StreamState } from "./daemon-client.ts";
import {
  type ClientMessage,
  createProof,
  type DaemonMessage,
  readLines,
  writeLine,
} from "./daemon-client.ts";
import {
  connectToDaemon,
  daemonFolder,
  programStamp,
  removeSocket,
  startDaemon,
  type Variables,
} from "./daemon-folder.ts";

type Answer = Extract<DaemonMessage, { kind: "answered" }>;

interface QuestionParts {
  readonly request: DaemonRequest;
  /** Called at most once. */
  readonly takeStdin: () => Promise<Buffer>;
  /** Called if the daemon does not accept the request in time. */
  readonly onUnresponsive?: () => void;
}

/**
 * Timeout for a daemon to accept a request. Hooks run before each tool call, so the user waits for
 * it.
 */
const ACCEPT_TIMEOUT_MS = 2_000;
const HOOK_ACCEPT_TIMEOUT_MS = 250;
const SILENCE_TIMEOUT_MS = 10_000;
const MAX_REPLY_BYTES = 512 * 1024 * 1024;

export class Question {
  readonly #socket: Socket;
  readonly #request: DaemonRequest;
  readonly #takeStdin: () => Promise<Buffer>;
  #silence: NodeJS.Timeout | undefined;
  #settle: (answer: Answer | "untouched" | undefined) => void = () => undefined;

  readonly #onUnresponsive: (() => void) | undefined;

  constructor(socket: Socket, { request, takeStdin, onUnresponsive }: QuestionParts) {
    this.#onUnresponsive = onUnresponsive;
    this.#socket = socket;
    this.#request = request;
    this.#takeStdin = takeStdin;
  }

  /** Undefined if this process must run the command and the daemon may have run it already. */
  answer(): Promise<Answer | "untouched" | undefined> {
    return new Promise((resolve) => {
      this.#settle = (answer) => {
        clearTimeout(this.#silence);
        resolve(answer);
        this.#socket.destroySoon();
      };
      const settleUnanswered = () => this.#settle(undefined);
      this.#socket.once("error", settleUnanswered);
      this.#socket.once("close", settleUnanswered);
      const isHook = this.#request.args[0] === "hook";
      this.#silence = setTimeout(
        () => {
          if (!isHook) this.#onUnresponsive?.();
          this.#settle(undefined);
        },
        isHook ? HOOK_ACCEPT_TIMEOUT_MS : ACCEPT_TIMEOUT_MS,
      );
      readLines(this.#socket, {
        maxCharacters: MAX_REPLY_BYTES,
        onLine: (message) => this.#take(message as DaemonMessage),
      });
      writeLine(this.#socket, this.#request);
    });
  }

  #take(message: DaemonMessage): void {
    this.#expectWithin(SILENCE_TIMEOUT_MS);
    if (message.kind === "stdin") void this.#sendStdin();
    if (message.kind === "declined")
      this.#settle(message.hasTried === true ? undefined : "untouched");
    if (message.kind === "answered") {
      this.#send({ kind: "received" });
      this.#settle(message);
    }
  }

  async #sendStdin(): Promise<void> {
    const bytes = await this.#takeStdin();
    this.#expectWithin(SILENCE_TIMEOUT_MS);
    this.#send({ kind: "stdin", bytes: bytes.toString("base64") });
  }

  #send(message: ClientMessage): void {
    writeLine(this.#socket, message);
  }

  #expectWithin(ms: number): void {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.#settle(undefined), ms);
  }
}

/** Debuggers and coverage would include the daemon. */
const DEBUG_VARIABLE_NAMES = ["NODE_V8_COVERAGE", "VSCODE_INSPECTOR_OPTIONS"];
const DEBUG_OPTION = /--(inspect|cpu-prof|heap-prof|prof\b)/;
/** Child processes end with the sandbox or agent command. */
const SANDBOX_VARIABLES = ["SANDBOX_RUNTIME", "CAIRN_PROCESS_TREE"];
/** `/var/tmp` is not among them: its files outlive a restart. */
const TEMPORARY_FOLDERS = ["/tmp", "/dev/shm"];

/**
 * True if this process may start a daemon: enabled by variable or user config, or running in a
 * lasting environment (not CI, tests or one-shot containers).
 */
export function isDaemonEnabled(env: Variables, dataDir: string): boolean {
  const { CAIRN_DAEMON: setting } = env;
  if (setting) return setting === "auto";
  return isInConfig(env) || (isLastingEnvironment(env) && !isTemporary(dataDir, env));
}

function isInConfig(env: Variables): boolean {
  try {
    return readFileSync(join(configHome(env), "cairn", "config.json"), "utf8").includes("daemon");
  } catch {
    return false;
  }
}

function isLastingEnvironment(env: Variables): boolean {
  const { CI: ci, NODE_OPTIONS: options } = env;
  if (ci && !/^(false|0|no)$/i.test(ci)) return false;
  if (process.pid === 1) return false;
  if ([...DEBUG_VARIABLE_NAMES, ...SANDBOX_VARIABLES].some((name) => env[name])) return false;
  return ![...process.execArgv, options ?? ""].some((option) => DEBUG_OPTION.test(option));
}

function isTemporary(folder: string, env: Variables): boolean {
  const own = [env.TMPDIR, env.TEMP, env.TMP, tmpdir()].filter((path) => path !== undefined);
  const path = resolveRealPath(folder);
  return [...own, ...TEMPORARY_FOLDERS].some(
    (temporary) => isAbsolute(temporary) && isBelow(path, resolveRealPath(temporary)),
  );
}

function isBelow(path: string, folder: string): boolean {
  const relativePath = relative(folder, path);
  return !relativePath.startsWith("..") && !isAbsolute(relativePath);
}

function resolveRealPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(resolveRealPath(parent), relative(parent, path));
  }
}

/** Same as `configPaths`. */
function configHome(env: Variables): string {
  if (process.platform === "win32") {
    return env.APPDATA || join(env.USERPROFILE || homedir(), "AppData", "Roaming");
  }
  const xdg = env.XDG_CONFIG_HOME;
  return xdg !== undefined && isAbsolute(xdg) ? xdg : join(env.HOME || homedir(), ".config");
}

const LOCAL_COMMANDS = new Set(
  "acp agent audit completion config connect daemon db doctor edit events export graph help import init mcp purge reindex serve sessions token trust ui ui-server version".split(
    " ",
  ),
);

/** Cheap pre-check; the daemon parses the words itself. */
function mayUseDaemon(args: readonly string[]): boolean {
  const word = args.find((arg) => !arg.startsWith("-"));
  if (word === undefined || LOCAL_COMMANDS.has(args[0] ?? "")) return false;
  return !args.some(
    (arg) => arg === "--help" || arg === "-h" || arg === "--version" || arg === "-V",
  );
}

export interface DaemonReply {
  readonly isAnswered: boolean;
  /** False if no daemon may run here. */
  readonly hasDaemon: boolean;
  /** Starts a daemon once this process has finished its work. */
  start?(): Promise<void>;
}

const NO_REPLY: DaemonReply = { isAnswered: false, hasDaemon: true };
const NO_DAEMON: DaemonReply = { isAnswered: false, hasDaemon: false };
/** Completion timeout without Node.js startup. */
const COMPLETION_TIMEOUT_MS = 150;

export async function askDaemon(file: string): Promise<DaemonReply> {
  const args = process.argv.slice(2);
  if (process.env.CAIRN_DAEMON === "off" || !mayUseDaemon(args)) return NO_DAEMON;
  try {
    const folder = daemonFolder(process.env);
    if (folder === undefined) return NO_DAEMON;
    const socket = await connectToDaemon(folder);
    if (socket === undefined) {
      if (!isDaemonEnabled(process.env, dirname(folder))) return NO_DAEMON;
      return { ...NO_REPLY, start: () => startDaemon(folder, { file }) };
    }
    if (args[0] === "__complete") setTimeout(() => process.exit(0), COMPLETION_TIMEOUT_MS).unref();
    const request = createRequest(folder, { file, args });
    const answer = await new Question(socket, {
      request,
      takeStdin: readStdin,
      onUnresponsive: () => removeSocket(folder),
    }).answer();
    if (answer === undefined || answer === "untouched") {
      // Reuses the request id, so writes are not repeated.
      if (answer === undefined && args[0] !== "hook") process.env.CAIRN_QUESTION = request.id;
      return NO_REPLY;
    }
    await printReply(answer);
    return { isAnswered: true, hasDaemon: true };
  } catch {
    // Fall back to this process on any daemon failure.
    return NO_REPLY;
  }
}

function createRequest(
  folder: string,
  { file, args }: { readonly file: string; readonly args: readonly string[] },
): DaemonRequest {
  const id = [process.pid, Date.now(), randomPart(), randomPart()]
    .map((part) => part.toString(36))
    .join("-");
  return {
    ask: "run",
    id,
    program: programStamp(file),
    proof: createProof(folder, id),
    args,
    cwd: process.cwd(),
    env: process.env,
    umask: process.umask(),
    stdin: { isTTY: isatty(0) },
    stdout: readStreamState(1, () => process.stdout),
    stderr: readStreamState(2, () => process.stderr),
  };
}

function readStreamState(descriptor: number, stream: () => NodeJS.WriteStream): StreamState {
  if (!isatty(descriptor)) return {};
  const { columns, rows } = stream();
  return { isTTY: true, columns, rows };
}

function randomPart(): number {
  return Math.floor(Math.random() * Number.MAX_SAFE_INTEGER);
}

async function readStdin(): Promise<Buffer> {
  const bytes =
    process.argv[2] === "hook" ? await readPayload(process.stdin) : await readAll(process.stdin);
  const { Readable } = await import("node:stream");
  Object.defineProperty(process, "stdin", { value: Readable.from([bytes]), configurable: true });
  return bytes;
}

async function readAll(stream: NodeJS.ReadStream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

async function printReply({ code, output, page }: Answer): Promise<void> {
  process.exitCode = code;
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    // `cairn list | head` closes the pipe early, which is no failure.
    if (error.code !== "EPIPE") throw error;
  });
  for (const [stream, text] of output) (stream === 1 ? process.stdout : process.stderr).write(text);
  if (page === undefined) return;
  const { runProgramSync } = await import("../../shared/programs.ts");
  const result = runProgramSync("sh", ["-c", page.pager], {
    input: page.text,
    stdio: ["pipe", "inherit", "inherit"],
  });
  if (result.error !== undefined || result.status === 127) process.stdout.write(page.text);
}
