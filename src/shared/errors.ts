import { once } from "node:events";
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
} from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { startProgram } from "./programs.ts";

/** The root folder of this package. It works from the sources and from the bundle. */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "drizzle")) || !existsSync(join(folder, "package.json"))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error("The installation of cairn is incomplete: no drizzle/.");
    folder = parent;
  }
  return folder;
}

interface PackageDescription {
  readonly name: string;
  readonly version: string;
}

/** Name and version of this package as published. */
export function packageDescription(): PackageDescription {
  return JSON.parse(readFileSync(join(packageRoot(), "package.json"), "utf8"));
}

/** The port on which `cairn serve` listens by default, and where `cairn ui` and `cairn open` look for it. */
export const DEFAULT_PORT = 7433;
/** Every error code that a caller can get, on every surface. */
export const ERROR_CODES = [
  "invalid_input",
  "unauthorized",
  "forbidden",
  "not_found",
  "method_not_allowed",
  "conflict",
  "too_large",
  "unsupported_media_type",
  "changeset_failed",
  "busy",
  "unavailable",
  "storage_full",
  "internal",
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** The one shape in which errors leave the program: `{code, message, details?}`. */
export interface ErrorBody {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: unknown;
}

/** An expected error. Its message names the field and the cure and is safe to show. */
export class CairnError extends Error {
  override readonly name = "CairnError";
  readonly code: ErrorCode;
  readonly details: unknown;

  constructor(code: ErrorCode, message: string, details?: unknown, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.details = details;
  }

  toBody(): ErrorBody {
    const body = { code: this.code, message: this.message };
    return this.details === undefined ? body : { ...body, details: this.details };
  }
}

export function invalidInput(message: string, details?: unknown): CairnError {
  return new CairnError("invalid_input", message, details);
}

export function notFound(message: string): CairnError {
  return new CairnError("not_found", message);
}

export function stateConflict(message: string): CairnError {
  return new CairnError("conflict", message);
}

/** A write that is based on an outdated state. It is a `conflict` for which HTTP has a status of its own. */
export class StaleWrite extends CairnError {
  constructor(message: string, details: unknown) {
    super("conflict", message, details);
  }
}

export function isCairnError(error: unknown): error is CairnError {
  return error instanceof CairnError;
}

/** The message of any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or folder",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the disk can only be read",
  ENOSPC: "the disk is full",
  EISDIR: "it is a folder",
  ENOTDIR: "a part of the path is a file",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open on this machine",
};

export function fileReason(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return (Object.hasOwn(REASONS, code) ? REASONS[code] : undefined) ?? messageOf(error);
}

/** True if the process or the machine can open no more files until others are closed. */
export function lacksDescriptors(error: unknown): boolean {
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    if ("code" in inner && (inner.code === "EMFILE" || inner.code === "ENFILE")) return true;
  }
  return false;
}

export function tooManyFilesOpen(cause: unknown): CairnError {
  return new CairnError(
    "busy",
    "Too many files are open in this process. Try again in a moment; raise the limit (`ulimit -n`) where this goes on.",
    undefined,
    { cause },
  );
}

/** True if a call of the file system failed because there is no such file. */
export function isMissingFile(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

/** Without O_NONBLOCK, opening a named pipe would wait for a writer. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * Opens a file for reading. Throws invalid_input for everything but a regular file: a named pipe, device,
 * socket or folder. The caller closes it.
 */
export async function openRegularFile(path: string): Promise<FileHandle> {
  const file = await open(path, READ);
  try {
    if ((await file.stat()).isFile()) return file;
  } catch (error) {
    await file.close();
    throw error;
  }
  await file.close();
  throw notRegular(path);
}

interface FileText {
  readonly text: string;
  /** Bytes beyond the limit that were not read. */
  readonly omittedBytes: number;
}

/** Reads at most so many bytes of a regular file as UTF-8. Throws invalid_input for anything else. */
export function readRegularFile(path: string, maxBytes: number): FileText {
  const file = openSync(path, READ);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw notRegular(path);
    const bytes = Buffer.alloc(Math.min(stats.size, maxBytes));
    let length = 0;
    while (length < bytes.length) {
      const read = readSync(file, bytes, length, bytes.length - length, length);
      if (read === 0) break;
      length += read;
    }
    const omittedBytes = Math.max(0, stats.size - maxBytes);
    return { text: bytes.toString("utf8", 0, length), omittedBytes };
  } finally {
    closeSync(file);
  }
}

/** Like `readRegularFile`; undefined if there is no such file, it may not be read or is none. */
export function tryReadRegularFile(path: string, maxBytes: number): FileText | undefined {
  try {
    return readRegularFile(path, maxBytes);
  } catch {
    // Missing, not permitted, a loop of links, or no regular file.
    return undefined;
  }
}

const notRegular = (path: string) =>
  invalidInput(`file: ${path} is no regular file (a folder, pipe, socket or device). Name a file.`);

/** The process failed or could not be started, independent of the question it was asked. */
export class ProcessEnded extends Error {}

interface OwnProcessWork {
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

/** What Node.js must run in another thread or process. */
interface OwnProgram {
  /** Absolute path. */
  readonly file: string;
  /** Arguments that must precede those of the caller. */
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
type OwnProcessMessage =
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
