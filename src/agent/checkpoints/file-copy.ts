import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  type Stats,
} from "node:fs";
import { z } from "zod";
import { type BlobStore, hashOf } from "./blob-store.ts";

/** Of one file; a larger one is known by its size and time only. */
export const MAX_FILE_BYTES = 8 * 1024 * 1024;

/** A state of a file: its content in the store, or only that it had one too large to be kept. */
export const fileCopy = z.union([
  z.object({ hash: z.string(), mode: z.number() }),
  z.object({ size: z.number(), mtimeMs: z.number() }),
]);
export type FileCopy = z.output<typeof fileCopy>;

const PLAIN = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Null where there is no regular file. */
export function copyFile(path: string, store: BlobStore): FileCopy | null {
  return describeFile(path, (content) => store.put(content));
}

/** The same without keeping the content. */
export function stateOf(path: string): FileCopy | null {
  return describeFile(path, hashOf);
}

function describeFile(path: string, hash: (content: Buffer) => string): FileCopy | null {
  const info = lstatSync(path, { throwIfNoEntry: false });
  if (info?.isFile() !== true) return null;
  const { size, mtimeMs, mode } = info;
  if (size > MAX_FILE_BYTES) return { size, mtimeMs };
  return { hash: hash(readPlainFile(path)), mode: mode & 0o777 };
}

/**
 * The content of a regular file by its real path. Throws where a link has taken the place of the file
 * or of a folder above it: what lies behind it is nobody's to copy.
 */
export function readPlainFile(path: string): Buffer {
  const file = openSync(path, PLAIN);
  try {
    const info: Stats = fstatSync(file);
    if (!info.isFile() || placeOf(file, path) !== path) {
      throw new Error(`${path} is a link by now: what lies behind it is not read.`);
    }
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

function placeOf(file: number, path: string): string {
  return process.platform === "linux"
    ? readlinkSync(`/proc/self/fd/${file}`)
    : realpathSync.native(path);
}

/** With the same rights, too. */
export function isSameCopy(a: FileCopy | null, b: FileCopy | null): boolean {
  if (!isSameContent(a, b)) return false;
  return a === null || b === null || !("mode" in a && "mode" in b) || a.mode === b.mode;
}

export function isSameContent(a: FileCopy | null, b: FileCopy | null): boolean {
  if (a === null || b === null) return a === b;
  if ("hash" in a && "hash" in b) return a.hash === b.hash;
  return "size" in a && "size" in b && a.size === b.size && a.mtimeMs === b.mtimeMs;
}
