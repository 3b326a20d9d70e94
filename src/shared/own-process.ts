import { spawn } from "node:child_process";
import { once } from "node:events";
import type { OwnProcessMessage } from "./answer-parent.ts";
import { CairnError } from "./errors.ts";
import { ownProgram } from "./own-program.ts";

/** The process failed or could not be started, independent of the question it was asked. */
export class ProcessEnded extends Error {}

export interface OwnProcessWork {
  /** Ends the process. */
  readonly signal?: AbortSignal | undefined;
  /** Called with each note that the program sends while it works. */
  readonly onNote?: ((note: unknown) => void) | undefined;
}

/**
 * Asks a program of this package (see `ownProgram`) one question in a process of its own, which calls
 * `answerParent`. Question and answer are JSON. Settles once the process and everything it held open are
 * gone. Rejects with the error that the program threw, the signal's reason, or ProcessEnded.
 */
export async function askOwnProcess(
  source: URL,
  question: object,
  { signal, onNote }: OwnProcessWork = {},
): Promise<unknown> {
  signal?.throwIfAborted();
  const { file, argv } = ownProgram(source);
  const child = spawn(process.execPath, [file, ...argv], {
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  const said: { last?: OwnProcessMessage } = {};
  child.on("message", (message) => {
    const told = message as OwnProcessMessage;
    if (told.kind === "note") onNote?.(told.value);
    else said.last = told;
  });
  const stop = () => child.kill("SIGKILL");
  signal?.addEventListener("abort", stop, { once: true });
  try {
    // Messages can still arrive after the exit, but not after the channel has closed.
    const isGone = Promise.all([once(child, "exit"), once(child, "disconnect")]);
    child.send(question, () => undefined);
    const [[code, killedBy]] = await isGone;
    said.last ??= { kind: "ended", reason: `it ended with ${killedBy ?? code}` };
  } catch (error) {
    said.last ??= { kind: "ended", reason: String(error) };
  } finally {
    signal?.removeEventListener("abort", stop);
  }
  return answerOf(said.last, signal);
}

function answerOf(message: OwnProcessMessage, signal: AbortSignal | undefined): unknown {
  if (message.kind === "answer") return message.value;
  if (message.kind === "refusal") {
    const { code, message: text, details } = message.error;
    throw new CairnError(code, text, details);
  }
  if (message.kind === "failure") throw new Error(message.reason);
  signal?.throwIfAborted();
  throw new ProcessEnded(message.kind === "ended" ? message.reason : "it said nothing");
}
