import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CairnError, type ErrorBody, isCairnError, messageOf } from "./errors.ts";
import { packageRoot } from "./package.ts";
import { startProgram } from "./programs.ts";

/** The process failed or could not start, regardless of the request. */
export class ProcessEnded extends Error {}

export interface OwnProcessWork {
  readonly signal?: AbortSignal | undefined;
  /** Receives progress messages. */
  readonly onNote?: ((note: unknown) => void) | undefined;
}

/**
 * Sends one JSON request to a program of this package (see `ownProgram`) in a new process that
 * calls `answerParent`. Settles once the process and its handles are closed. Rejects with the
 * program's error, the signal's reason, or ProcessEnded.
 */
export async function runOwnProcess(
  source: URL,
  question: object,
  { signal, onNote }: OwnProcessWork = {},
): Promise<unknown> {
  signal?.throwIfAborted();
  const { file, argv } = ownProgram(source);
  const child = startProgram(process.execPath, [file, ...argv], {
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  const received: { last?: OwnProcessMessage } = {};
  child.on("message", (message) => {
    const reply = message as OwnProcessMessage;
    if (reply.kind === "note") onNote?.(reply.value);
    else received.last = reply;
  });
  const stop = () => child.kill("SIGKILL");
  signal?.addEventListener("abort", stop, { once: true });
  try {
    const isMissing = Promise.all([once(child, "exit"), once(child, "disconnect")]);
    child.send(question, () => undefined);
    const [[code, killedBy]] = await isMissing;
    received.last ??= { kind: "ended", reason: `it ended with ${killedBy ?? code}` };
  } catch (error) {
    received.last ??= { kind: "ended", reason: String(error) };
  } finally {
    signal?.removeEventListener("abort", stop);
  }
  return unwrapAnswer(received.last, signal);
}

function unwrapAnswer(message: OwnProcessMessage, signal: AbortSignal | undefined): unknown {
  if (message.kind === "answer") return message.value;
  if (message.kind === "refusal") {
    const { code, message: text, details } = message.error;
    throw new CairnError(code, text, details);
  }
  if (message.kind === "failure") throw new Error(message.reason);
  signal?.throwIfAborted();
  throw new ProcessEnded(message.kind === "ended" ? message.reason : "it printed nothing");
}

export interface OwnProgram {
  readonly file: string;
  readonly argv: readonly string[];
}

/**
 * Resolves a program of this package for its own thread or process from its source URL. The build
 * bundles each program; sources run with a TypeScript loader.
 */
export function ownProgram(source: URL): OwnProgram {
  if (import.meta.url.endsWith(".ts")) {
    return { file: join(packageRoot(), "scripts", "run-source.mjs"), argv: [source.href] };
  }
  return { file: fileURLToPath(source).replace(/\.ts$/, ".js"), argv: [] };
}

/** Messages from the program to its parent. */
export type OwnProcessMessage =
  | { readonly kind: "note" | "answer"; readonly value?: unknown }
  | { readonly kind: "refusal"; readonly error: ErrorBody }
  | { readonly kind: "failure" | "ended"; readonly reason: string };

/** Handles the single request of `askOwnProcess`, then exits, at the latest with its parent. */
export function respondToParent<Question>(
  answer: (question: Question, note: (value: unknown) => void) => Promise<unknown>,
): void {
  exitWithParent();
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
 * Exits with the parent but ignores Ctrl-C, which a terminal sends to the whole group: the parent
 * decides when to stop.
 */
export function exitWithParent(): void {
  process.on("SIGINT", () => undefined);
  process.once("disconnect", () => process.exit());
}
