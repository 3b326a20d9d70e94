import { lstatSync, readFileSync, realpathSync, type Stats, statSync } from "node:fs";
import {
  CairnError,
  invalidInput,
  isMissingFile,
  messageOf,
  stateConflict,
} from "../../shared/errors.ts";

export interface ConfigText {
  /** Path after resolving symbolic links. */
  readonly realPath: string;
  /** Undefined if the file does not exist. */
  readonly text: string | undefined;
  readonly mode: number | undefined;
  readonly hasByteOrderMark: boolean;
}

const MAX_BYTES = 64 * 1024 * 1024;
const BYTE_ORDER_MARK = "\uFEFF";

/** Throws invalid_input, conflict or too_large naming the file. */
export function readConfig(file: string): ConfigText {
  const realPath = resolveLinks(file);
  const stats = tryStat(realPath);
  if (stats === undefined) {
    return { realPath, text: undefined, mode: undefined, hasByteOrderMark: false };
  }
  if (!stats.isFile()) throw invalidInput(`${file} is not a file. Move it and connect again.`);
  if (stats.size > MAX_BYTES) {
    throw new CairnError("too_large", `${file} is larger than 64 MiB; that is no config file.`);
  }
  // Renaming needs no write permission on the file, so check the mode for locked files.
  if ((stats.mode & 0o200) === 0) {
    throw stateConflict(`${file} is read-only. Make it writable (chmod u+w) and connect again.`);
  }
  const text = decode(file, readBytes(file, realPath));
  const hasByteOrderMark = text.startsWith(BYTE_ORDER_MARK);
  const mode = stats.mode & 0o777;
  return { realPath, text: hasByteOrderMark ? text.slice(1) : text, mode, hasByteOrderMark };
}

function resolveLinks(file: string): string {
  try {
    return realpathSync(file);
  } catch (error) {
    if (!isMissingFile(error)) throw unusableFileError(file, error);
  }
  if (tryStat(file, "link") === undefined) return file;
  throw invalidInput(`${file} is a symbolic link to a file that does not exist. Fix or remove it.`);
}

function tryStat(file: string, kind: "file" | "link" = "file"): Stats | undefined {
  try {
    return kind === "link"
      ? lstatSync(file, { throwIfNoEntry: false })
      : statSync(file, { throwIfNoEntry: false });
  } catch (error) {
    throw unusableFileError(file, error);
  }
}

function readBytes(file: string, realPath: string): Buffer {
  try {
    return readFileSync(realPath);
  } catch (error) {
    throw unusableFileError(file, error);
  }
}

function decode(file: string, bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw invalidInput(`${file} is not UTF-8 text. Correct the file or remove it.`);
  }
}

function unusableFileError(file: string, error: unknown): CairnError {
  return stateConflict(`${file} cannot be read: ${messageOf(error)}`);
}
