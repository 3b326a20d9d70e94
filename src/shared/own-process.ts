import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CairnError, type ErrorBody, isCairnError, messageOf } from "./errors.ts";
import { packageRoot } from "./package.ts";
import { startProgram } from "./programs.ts";

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
  const child = startProgram(process.execPath, [file, ...argv], {
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
  throw new ProcessEnded(message.kind === "ended" ? message.reason : "it printed nothing");
}

/** File and arguments for another thread or process. */
export interface OwnProgram {
  readonly file: string;
  readonly argv: readonly string[];
}

/**
 * A program of this package that runs in its own thread or process, named by the URL of its source relative
 * to the caller. The build bundles each into its own file; when the sources run, a loader for TypeScript
 * comes first.
 */
export function ownProgram(source: URL): OwnProgram {
  if (import.meta.url.endsWith(".ts")) {
    return { file: join(packageRoot(), "scripts", "run-source.mjs"), argv: [source.href] };
  }
  return { file: fileURLToPath(source).replace(/\.ts$/, ".js"), argv: [] };
}

/** The messages that a program in its own process sends to the process that asked it. */
export type OwnProcessMessage =
  | { readonly kind: "note" | "answer"; readonly value?: unknown }
  | { readonly kind: "refusal"; readonly error: ErrorBody }
  | { readonly kind: "failure" | "ended"; readonly reason: string };

/**
 * Answers the one question of `askOwnProcess`, then ends. It ends at the latest when the asking process does.
 */
export function answerParent<Question>(
  answer: (question: Question, note: (value: unknown) => void) => Promise<unknown>,
): void {
  endWithParent();
  const note = (value: unknown) => void process.send?.({ kind: "note", value });
  process.once("message", (question) => {
    answer(question as Question, note)
      .then((value): OwnProcessMessage => ({ kind: "answer", value }))
      .catch(messageOfError)
      .then((message) => process.send?.(message, () => process.disconnect()));
  });
}

function messageOfError(error: unknown): OwnProcessMessage {
  if (isCairnError(error)) return { kind: "refusal", error: error.toBody() };
  return { kind: "failure", reason: messageOf(error) };
}

/**
 * Ends this process when its parent ends, but not on Ctrl-C: a terminal sends that to the whole group, and
 * the parent decides when this process ends.
 */
export function endWithParent(): void {
  process.on("SIGINT", () => undefined);
  process.once("disconnect", () => process.exit());
}
