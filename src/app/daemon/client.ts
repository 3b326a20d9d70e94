/**
 * What `bin/cairn.js` tries first: letting the long-lived process answer, if there is one. A single small
 * file that imports only parts of Node.js and nothing that asking does not need.
 */

import { readFileSync, realpathSync } from "node:fs";
import type { Socket } from "node:net";
import { homedir, tmpdir } from "node:os";
import { dirname, isAbsolute, join, relative } from "node:path";
import { isatty } from "node:tty";
import { readPayload } from "../../shared/read-payload.ts";
import type { DaemonRequest, StreamState } from "./asker.ts";
import {
  type ClientMessage,
  type DaemonMessage,
  makeProof,
  readLines,
  writeLine,
} from "./asker.ts";
import {
  connectToDaemon,
  daemonFolder,
  programStamp,
  removeSocket,
  startDaemon,
  type Variables,
} from "./daemon-place.ts";

// Part of the client: nothing but parts of Node.js is imported here.

type Answer = Extract<DaemonMessage, { kind: "answered" }>;

interface QuestionParts {
  readonly request: DaemonRequest;
  /** Is called once at most. */
  readonly takeStdin: () => Promise<Buffer>;
  /** Called if the daemon did not even accept the question in time. */
  readonly onUnresponsive?: () => void;
}

/**
 * Time for a daemon to accept a question, in milliseconds; a suspended one never does. A hook runs in
 * front of each tool call, so the user waits for it.
 */
const ACCEPT_MS = 2_000;
const ACCEPT_HOOK_MS = 250;
/** How long it may be silent while working, in milliseconds. */
const SILENT_MS = 10_000;
const MAX_ANSWER = 512 * 1024 * 1024;

/** One question, and what the daemon asks back. */
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

  /** Undefined: this process has to do the work, and it is unknown whether it was done already. */
  answer(): Promise<Answer | "untouched" | undefined> {
    return new Promise((resolve) => {
      this.#settle = (answer) => {
        clearTimeout(this.#silence);
        resolve(answer);
        this.#socket.destroySoon();
      };
      const giveUp = () => this.#settle(undefined);
      this.#socket.once("error", giveUp);
      this.#socket.once("close", giveUp);
      const isHook = this.#request.args[0] === "hook";
      this.#silence = setTimeout(
        () => {
          if (!isHook) this.#onUnresponsive?.();
          this.#settle(undefined);
        },
        isHook ? ACCEPT_HOOK_MS : ACCEPT_MS,
      );
      readLines(this.#socket, {
        most: MAX_ANSWER,
        onLine: (message) => this.#take(message as DaemonMessage),
      });
      writeLine(this.#socket, this.#request);
    });
  }

  #take(message: DaemonMessage): void {
    this.#expectWithin(SILENT_MS);
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
    this.#expectWithin(SILENT_MS);
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

// Part of the client: nothing but parts of Node.js is imported here.

/** This process is being debugged or measured, which would include everything that it starts. */
const WATCHED = ["NODE_V8_COVERAGE", "VSCODE_INSPECTOR_OPTIONS"];
const WATCHING_OPTION = /--(inspect|cpu-prof|heap-prof|prof\b)/;
/** A sandbox ends with its command, and so does an agent's command with everything it started. */
const CONFINED = ["SANDBOX_RUNTIME", "CAIRN_PROCESS_TREE"];
const TEMPORARY = ["/tmp", "/var/tmp", "/dev/shm"];

/**
 * True if this process may start one that stays. Where somebody asked for it, it may: by the
 * variable,
 * or with a word in the user's config, which the daemon itself reads as it is meant. Else where
 * what
 * it is started in lasts: an integration run, a test with a data folder of its own or a container
 * of one
 * command would only be left with a process that nobody asks.
 */
export function isDaemonEnabled(env: Variables, dataDir: string): boolean {
  const { CAIRN_DAEMON: said } = env;
  if (said) return said === "auto";
  return isInConfig(env) || (lasts(env) && !isTemporary(dataDir, env));
}

function isInConfig(env: Variables): boolean {
  try {
    return readFileSync(join(configHome(env), "cairn", "config.json"), "utf8").includes("daemon");
  } catch {
    return false;
  }
}

function lasts(env: Variables): boolean {
  const { CI: ci, NODE_OPTIONS: options } = env;
  if (ci && !/^(false|0|no)$/i.test(ci)) return false;
  if (process.pid === 1) return false;
  if ([...WATCHED, ...CONFINED].some((name) => env[name])) return false;
  return ![...process.execArgv, options ?? ""].some((option) => WATCHING_OPTION.test(option));
}

function isTemporary(folder: string, env: Variables): boolean {
  const own = [env.TMPDIR, env.TEMP, env.TMP, tmpdir()].filter((path) => path !== undefined);
  const path = real(folder);
  return [...own, ...TEMPORARY].some(
    (temporary) => isAbsolute(temporary) && isBelow(path, real(temporary)),
  );
}

function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return !way.startsWith("..") && !isAbsolute(way);
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(real(parent), relative(parent, path));
  }
}

/** As `configPaths` has it. */
function configHome(env: Variables): string {
  if (process.platform === "win32") {
    return env.APPDATA || join(env.USERPROFILE || homedir(), "AppData", "Roaming");
  }
  const xdg = env.XDG_CONFIG_HOME;
  return xdg !== undefined && isAbsolute(xdg) ? xdg : join(env.HOME || homedir(), ".config");
}

const DO_THEIR_OWN = new Set(
  "acp agent audit completion config connect daemon db doctor edit events export graph help import init mcp purge reindex serve sessions token trust ui ui-server version".split(
    " ",
  ),
);

/**
 * True if the daemon may know an answer; it looks at the words itself, as the command line does.
 * What
 * is left out here costs no question.
 */
function isWorthAsking(args: readonly string[]): boolean {
  const word = args.find((arg) => !arg.startsWith("-"));
  if (word === undefined || DO_THEIR_OWN.has(args[0] ?? "")) return false;
  return !args.some(
    (arg) => arg === "--help" || arg === "-h" || arg === "--version" || arg === "-V",
  );
}

export interface Asked {
  /** Everything is printed, and the exit code set. */
  readonly isAnswered: boolean;
  /** Starts a daemon, at the end of the work that this process then does itself. */
  start?(): Promise<void>;
}

const NOT_ASKED: Asked = { isAnswered: false };
/** Completion that takes longer annoys; milliseconds, without the start of Node.js. */
const COMPLETION_MS = 150;

export async function askDaemon(file: string): Promise<Asked> {
  const args = process.argv.slice(2);
  if (process.env.CAIRN_DAEMON === "off" || !isWorthAsking(args)) return NOT_ASKED;
  try {
    const folder = daemonFolder(process.env);
    if (folder === undefined) return NOT_ASKED;
    const socket = await connectToDaemon(folder);
    if (socket === undefined) {
      const start = async () => {
        if (isDaemonEnabled(process.env, dirname(folder))) await startDaemon(folder, { file });
      };
      return { isAnswered: false, start };
    }
    if (args[0] === "__complete") setTimeout(() => process.exit(0), COMPLETION_MS).unref();
    const request = requestOf(folder, { file, args });
    const answer = await new Question(socket, {
      request,
      takeStdin,
      onUnresponsive: () => removeSocket(folder),
    }).answer();
    if (answer === undefined || answer === "untouched") {
      // If this process then does the work, it does so under the id of the same question.
      if (answer === undefined && args[0] !== "hook") process.env.CAIRN_QUESTION = request.id;
      return NOT_ASKED;
    }
    await print(answer);
    return { isAnswered: true };
  } catch {
    // Whatever is wrong with the daemon, this process does the work itself.
    return NOT_ASKED;
  }
}

function requestOf(
  folder: string,
  { file, args }: { readonly file: string; readonly args: readonly string[] },
): DaemonRequest {
  const id = [process.pid, Date.now(), random(), random()]
    .map((part) => part.toString(36))
    .join("-");
  return {
    ask: "run",
    id,
    program: programStamp(file),
    proof: makeProof(folder, id),
    args,
    cwd: process.cwd(),
    env: process.env,
    umask: process.umask(),
    stdin: { isTTY: isatty(0) },
    stdout: stateOf(1, () => process.stdout),
    stderr: stateOf(2, () => process.stderr),
  };
}

/** A stream that is not a terminal need not be opened to find out. */
function stateOf(descriptor: number, stream: () => NodeJS.WriteStream): StreamState {
  if (!isatty(descriptor)) return {};
  const { columns, rows } = stream();
  return { isTTY: true, columns, rows };
}

function random(): number {
  return Math.floor(Math.random() * Number.MAX_SAFE_INTEGER);
}

/** Reads all of it; whatever this process then runs itself reads the same bytes. */
async function takeStdin(): Promise<Buffer> {
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

/** In the order in which it was written. */
async function print({ code, output, page }: Answer): Promise<void> {
  process.exitCode = code;
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    // `cairn list | head` closes the pipe early; that is no failure.
    if (error.code !== "EPIPE") throw error;
  });
  for (const [stream, text] of output) (stream === 1 ? process.stdout : process.stderr).write(text);
  if (page === undefined) return;
  const { runProgramSync } = await import("../../shared/programs.ts");
  const shown = runProgramSync("sh", ["-c", page.pager], {
    input: page.text,
    stdio: ["pipe", "inherit", "inherit"],
  });
  if (shown.error !== undefined || shown.status === 127) process.stdout.write(page.text);
}
