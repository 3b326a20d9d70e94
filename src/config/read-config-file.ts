import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { invalidInput } from "../shared/errors.ts";
import { JsonSyntaxError, parseJson } from "../shared/json.ts";

const MAX_BYTES = 1024 * 1024;
/** Without O_NONBLOCK, opening a named pipe would wait for a writer. */
const READ_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

export interface ConfigFile {
  readonly path: string;
  readonly content: unknown;
  /** SHA-256 in hex. */
  readonly hash: string;
  readonly isExposed: boolean;
}

/** Undefined if the file does not exist. Throws invalid_input if it cannot be read or parsed. */
export function readConfigFile(path: string): ConfigFile | undefined {
  const file = readBounded(path);
  if (file === undefined) return undefined;
  return {
    path,
    content: parseContent(path, file.bytes.toString("utf8")),
    hash: createHash("sha256").update(file.bytes).digest("hex"),
    isExposed: process.platform !== "win32" && (file.mode & 0o077) !== 0,
  };
}

interface BoundedFile {
  readonly bytes: Buffer;
  readonly mode: number;
}

/**
 * Reads a regular file of at most 1 MiB; a repository can contain links to devices or pipes that
 * never end. Undefined if missing; throws invalid_input.
 */
export function readBounded(path: string): BoundedFile | undefined {
  try {
    const file = openSync(path, READ_FLAGS);
    try {
      const info = fstatSync(file);
      if (!info.isFile())
        throw invalidInput(`${path} is not a regular file. Replace or remove it.`);
      if (info.size > MAX_BYTES) {
        throw invalidInput(
          `${path} is ${info.size} bytes, more than the limit of ${MAX_BYTES}. Shorten it.`,
        );
      }
      return { bytes: readUpTo(file, MAX_BYTES), mode: info.mode };
    } finally {
      closeSync(file);
    }
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "invalid_input") throw error;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw invalidInput(`${path} cannot be read (${String(code)}). Make it a readable file.`);
  }
}

/** Enforces the limit even while the file grows. */
function readUpTo(file: number, limit: number): Buffer {
  const chunks: Buffer[] = [];
  for (let total = 0; total < limit; ) {
    const chunk = Buffer.alloc(Math.min(64 * 1024, limit - total));
    const length = readSync(file, chunk, 0, chunk.length, null);
    if (length === 0) break;
    chunks.push(chunk.subarray(0, length));
    total += length;
  }
  return Buffer.concat(chunks);
}

function parseContent(path: string, text: string): unknown {
  if (text.trim() === "") return {};
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw invalidInput(`${path}: ${error.message}. Correct the file or remove it.`);
  }
}
