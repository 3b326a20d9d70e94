import { isUtf8 } from "node:buffer";
import { Writable } from "node:stream";
import type {
  DaemonAnswer,
  DaemonClient,
  DaemonRequest,
  OutputPart,
  StreamState,
} from "../../app/daemon/index.ts";
import type { AppCache } from "../../app/index.ts";
import { messageOf } from "../../shared/errors.ts";
import { stderrLogger } from "../../shared/logger.ts";
import { arrangeArgs } from "../arrange-args.ts";
import type { QuickLine } from "../command-line.ts";
import { commands } from "../commands/index.ts";
import { printValues } from "../completion/answer-completion.ts";
import { EXIT } from "../exit-code.ts";
import { OPERATION_SUMMARIES } from "../operation-summaries.ts";
import { runCommandLine } from "../run-command-line.ts";
import type { WriteKeys } from "./write-keys.ts";

/** Commands, other than operations, that use the memory and end soon. */
const DAEMON_COMMANDS: readonly string[] = [
  "apply",
  "show",
  "log",
  "list databases",
  "hook",
  "__complete",
];
/** Commands that draw progress and report it on Ctrl-C. */
const TERMINAL_COMMANDS: readonly string[] = ["apply"];

/** Returns the requested command if the daemon may run it. */
function findDaemonCommand({ args, stderr }: DaemonRequest): string | undefined {
  const { name: word = "" } = arrangeArgs(args, [...commands, ...OPERATION_SUMMARIES]);
  if (DAEMON_COMMANDS.includes(word)) {
    return stderr.isTTY === true && TERMINAL_COMMANDS.includes(word) ? undefined : word;
  }
  const isOperation = OPERATION_SUMMARIES.some(
    ({ name, aliases }) => name === word || aliases?.includes(word) === true,
  );
  return isOperation ? word : undefined;
}

export interface AnswerTools {
  readonly apps: AppCache;
  readonly settled: WriteKeys;
  readonly later: (work: () => Promise<void>) => void;
}

/**
 * Runs a command line in the daemon. A failing command writes nothing and is declined; the client
 * then runs it and reports the error.
 */
export async function answerQuestion(
  asker: DaemonClient,
  tools: AnswerTools,
): Promise<DaemonAnswer> {
  const { request } = asker;
  const command = findDaemonCommand(request);
  if (command === undefined) return declineRequest("it does its own work");
  const written = new OutputBuffer();
  const refusals: string[] = [];
  const page: { shown?: { text: string; pager: string } } = {};
  const question = tools.settled.begin(request.id);
  const stderr = written.stream(2, request.stderr);
  const line: QuickLine = {
    env: request.env,
    cwd: request.cwd,
    stdin: asker.stdin,
    stdout: written.stream(1, request.stdout),
    stderr,
    logger: stderrLogger(stderr),
    furtherOperations: [],
    once: () => question.next(),
    longRunning: {
      openApp: (options) => {
        try {
          return tools.apps.open(options);
        } catch (error) {
          refusals.push(messageOf(error));
          throw error;
        }
      },
      later: tools.later,
      showPage: (text, pager) => {
        page.shown = { text, pager };
      },
      signal: asker.signal,
    },
  };
  const code = await tools.apps.answering(line.logger, () => run(line, command, request.args));
  asker.signal.throwIfAborted();
  if (refusals[0] !== undefined) return declineRequest(refusals[0]);
  if (code !== EXIT.ok) return declineRequest(`the command failed with ${code}`, true);
  const output = written.parts();
  if (output === undefined) return declineRequest("the response is not text", true);
  void asker.received.then((isReceived) => question.end(isReceived));
  return { kind: "answered", code, output, ...(page.shown && { page: page.shown }) };
}

async function run(line: QuickLine, command: string, args: readonly string[]): Promise<number> {
  if (command !== "__complete" || args.length !== 2) return runCommandLine(args, line);
  await printValues(line, args[1] ?? "");
  return EXIT.ok;
}

function declineRequest(reason: string, hasTried = false): DaemonAnswer {
  return { kind: "declined", reason, hasTried };
}

class OutputBuffer {
  readonly #chunks: { readonly to: 1 | 2; readonly bytes: Buffer }[] = [];

  stream(to: 1 | 2, { isTTY, columns, rows }: StreamState) {
    const stream = new Writable({
      decodeStrings: true,
      write: (chunk: Buffer, _encoding, done) => {
        this.#chunks.push({ to, bytes: chunk });
        done();
      },
    });
    return Object.assign(stream, {
      ...(isTTY === true && { isTTY }),
      ...(columns !== undefined && { columns }),
      ...(rows !== undefined && { rows }),
    });
  }

  /** Undefined if some output is not text. */
  parts(): readonly OutputPart[] | undefined {
    const parts: { to: 1 | 2; bytes: Buffer[] }[] = [];
    for (const { to, bytes } of this.#chunks) {
      const last = parts.at(-1);
      if (last?.to === to) last.bytes.push(bytes);
      else parts.push({ to, bytes: [bytes] });
    }
    const joined = parts.map(({ to, bytes }) => ({ to, bytes: Buffer.concat(bytes) }));
    if (!joined.every(({ bytes }) => isUtf8(bytes))) return undefined;
    return joined.map(({ to, bytes }) => [to, bytes.toString("utf8")] as const);
  }
}
