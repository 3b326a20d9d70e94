import { lstatSync, readFileSync, type Stats } from "node:fs";
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

/** Null where there is no regular file. */
export function copyFile(path: string, store: BlobStore): FileCopy | null {
  const info = regularFile(path);
  if (info === undefined) return null;
  const { size, mtimeMs, mode } = info;
  if (size > MAX_FILE_BYTES) return { size, mtimeMs };
  return { hash: store.put(readFileSync(path)), mode: mode & 0o777 };
}

/** The same without keeping the content. */
export function stateOf(path: string): FileCopy | null {
  const info = regularFile(path);
  if (info === undefined) return null;
  const { size, mtimeMs, mode } = info;
  if (size > MAX_FILE_BYTES) return { size, mtimeMs };
  return { hash: hashOf(readFileSync(path)), mode: mode & 0o777 };
}

export function isSameCopy(a: FileCopy | null, b: FileCopy | null): boolean {
  if (a === null || b === null) return a === b;
  if ("hash" in a && "hash" in b) return a.hash === b.hash;
  return "size" in a && "size" in b && a.size === b.size && a.mtimeMs === b.mtimeMs;
}

function regularFile(path: string): Stats | undefined {
  const info = lstatSync(path, { throwIfNoEntry: false });
  return info?.isFile() === true ? info : undefined;
}
