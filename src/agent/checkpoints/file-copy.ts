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
import { dirname } from "node:path";
import { z } from "zod";
import { type BlobStore, hashOf } from "./blob-store.ts";
import { indexEntries } from "./git-index.ts";

export const MAX_FILE_BYTES = 8 * 1024 * 1024;

/**
 * What lies at a path: a file with its content in the store, one that is known by its size and time
 * only (too large, or no regular file), a symbolic link, a folder, or a folder that is not looked
 * through, of which only a sign of its entries is known. `entries` is of git's index: what it says,
 * without the times that every `git status` writes anew.
 */
export const fileCopy = z.union([
  z.object({ hash: z.string(), mode: z.number(), entries: z.string().optional() }),
  z.object({ size: z.number(), mtimeMs: z.number() }),
  z.object({ link: z.string() }),
  z.object({ folder: z.number() }),
  z.object({ unseen: z.string() }),
]);
export type FileCopy = z.output<typeof fileCopy>;

const PLAIN = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Null where there is nothing. The content is on the disk when this returns. */
export function copyFile(path: string, store: BlobStore): FileCopy | null {
  return describeFile(path, (content) => store.put(content, { durable: true }));
}

export function stateOf(path: string): FileCopy | null {
  return describeFile(path, hashOf);
}

function describeFile(path: string, hash: (content: Buffer) => string): FileCopy | null {
  const info = statusOf(path);
  if (info === undefined) return null;
  const { size, mtimeMs } = info;
  if (info.isSymbolicLink()) return { link: readlinkSync(path) };
  if (info.isDirectory()) return { folder: info.mode & 0o7777 };
  if (!info.isFile() || size > MAX_FILE_BYTES) return { size, mtimeMs };
  return contentCopy(path, readPlainFile(path), { hash, mode: info.mode & 0o7777 });
}

export function contentCopy(
  path: string,
  content: Buffer,
  { hash, mode }: { readonly hash: (content: Buffer) => string; readonly mode: number },
): FileCopy {
  const copy = { hash: hash(content), mode };
  return path.endsWith("/.git/index") ? { ...copy, entries: indexEntries(content) } : copy;
}

/** Undefined also where something above is no folder. */
function statusOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOTDIR") return undefined;
    throw error;
  }
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
  if (a !== null && b !== null && "folder" in a && "folder" in b) return a.folder === b.folder;
  return a === null || b === null || !("mode" in a && "mode" in b) || a.mode === b.mode;
}

export function isSameContent(a: FileCopy | null, b: FileCopy | null): boolean {
  if (a === null || b === null) return a === b;
  if ("hash" in a && "hash" in b) return (a.entries ?? a.hash) === (b.entries ?? b.hash);
  if ("size" in a && "size" in b) return a.size === b.size && a.mtimeMs === b.mtimeMs;
  if ("link" in a && "link" in b) return a.link === b.link;
  if ("unseen" in a && "unseen" in b) return a.unseen === b.unseen;
  return "folder" in a && "folder" in b;
}

export function isReached(folder: string, known: Map<string, boolean>): boolean {
  const answer = known.get(folder);
  if (answer !== undefined) return answer;
  const above = dirname(folder);
  const isThere =
    (above === folder || isReached(above, known)) &&
    lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
  known.set(folder, isThere);
  return isThere;
}
