/** All error codes, on every surface. */
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

/** Serialized form of every error. */
export interface ErrorBody {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: unknown;
}

/** An expected error. Its message names the field and the fix, and is safe to display. */
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

export class StaleWrite extends CairnError {
  constructor(message: string, details: unknown) {
    super("conflict", message, details);
  }
}

export function isCairnError(error: unknown): error is CairnError {
  return error instanceof CairnError;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export const FILE_ERROR_REASONS: Readonly<Record<string, string>> = {
  ENOENT: "no such file or folder",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is exhausted",
  EISDIR: "it is a directory",
  ENOTDIR: "a part of the path is a file",
  ELOOP: "the path contains a loop of symbolic links",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open on this machine",
};

/** EDQUOT of Linux and of macOS. Literals, because this file also runs in browsers. */
const QUOTA_ERRNOS: readonly unknown[] = [-122, -69];

/** Returns the code of a system error; Node.js has none for an exhausted quota. */
export function systemErrorCode(error: unknown): string {
  if (!(error instanceof Error)) return "";
  if ("errno" in error && QUOTA_ERRNOS.includes(error.errno)) return "EDQUOT";
  return "code" in error ? String(error.code) : "";
}

export function fileReason(error: unknown): string {
  const code = systemErrorCode(error);
  return (
    (Object.hasOwn(FILE_ERROR_REASONS, code) ? FILE_ERROR_REASONS[code] : undefined) ??
    messageOf(error)
  );
}

/** Yields the error and its causes, outermost first. */
export function* causesOf(error: unknown): Generator<Error> {
  for (let inner = error; inner instanceof Error; inner = inner.cause) yield inner;
}

/** Returns true if the error or one of its causes has one of the codes. */
function hasCode(error: unknown, codes: readonly string[]): boolean {
  return [...causesOf(error)].some((inner) => codes.includes(systemErrorCode(inner)));
}

export function lacksDescriptors(error: unknown): boolean {
  return hasCode(error, ["EMFILE", "ENFILE"]);
}

export function tooManyFilesOpen(cause: unknown): CairnError {
  return new CairnError(
    "busy",
    "Too many files are open in this process. Try again; if it persists, raise the limit (`ulimit -n`).",
    undefined,
    { cause },
  );
}

/** Returns true if the disk or the user's quota is full. */
export function lacksSpace(error: unknown): boolean {
  return hasCode(error, ["ENOSPC", "EDQUOT"]);
}

export function diskIsFull(cause: unknown): CairnError {
  const message = hasCode(cause, ["EDQUOT"])
    ? "The disk quota is exhausted: nothing was written. Free some space or raise the quota, and try again."
    : "The disk is full: nothing was written. Free some space and try again.";
  return new CairnError("storage_full", message, undefined, { cause });
}

export function isMissingFile(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
