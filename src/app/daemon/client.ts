/**
 * What `bin/cairn.js` tries first: letting the long-lived process answer, if there is one. A single small
 * file that imports only parts of Node.js and nothing that asking does not need.
 */
import { dirname } from "node:path";
import { isatty } from "node:tty";
import { readPayload } from "../../shared/read-payload.ts";
import { connectToDaemon } from "./connect.ts";
import { daemonFolder, programStamp, removeSocket } from "./daemon-place.ts";
import { isDaemonEnabled } from "./is-wished.ts";
import { isWorthAsking } from "./is-worth-asking.ts";
import { makeProof } from "./proof.ts";
import type { DaemonRequest, StreamState } from "./protocol.ts";
import { type Answer, Question } from "./question.ts";
import { startDaemon } from "./start-daemon.ts";

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
  const { spawnSync } = await import("node:child_process");
  const shown = spawnSync("sh", ["-c", page.pager], {
    input: page.text,
    stdio: ["pipe", "inherit", "inherit"],
  });
  if (shown.error !== undefined || shown.status === 127) process.stdout.write(page.text);
}
