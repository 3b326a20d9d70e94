import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { invalidInput } from "./errors.ts";

/** Without O_NONBLOCK, opening a named pipe would wait for a writer. */
const READ_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * Opens a file for reading. Throws invalid_input for pipes, devices, sockets and folders. The
 * caller closes it.
 */
export async function openRegularFile(path: string): Promise<FileHandle> {
  const file = await open(path, READ_FLAGS);
  try {
    if ((await file.stat()).isFile()) return file;
  } catch (error) {
    await file.close();
    throw error;
  }
  await file.close();
  throw notRegular(path);
}

export interface FileText {
  readonly text: string;
  readonly omittedBytes: number;
}

/** Reads up to `maxBytes` as UTF-8. Throws invalid_input unless it is a regular file. */
export function readRegularFile(path: string, maxBytes: number): FileText {
  const file = openSync(path, READ_FLAGS);
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

/** Like `readRegularFile`; undefined if missing, unreadable or not a regular file. */
export function tryReadRegularFile(path: string, maxBytes: number): FileText | undefined {
  try {
    return readRegularFile(path, maxBytes);
  } catch {
    // Expected: missing, not permitted, a link loop, or not a regular file.
    return undefined;
  }
}

const notRegular = (path: string) =>
  invalidInput(
    `file: ${path} is not a regular file (it is a folder, pipe, socket or device). Name a file.`,
  );
