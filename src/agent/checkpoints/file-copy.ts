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
import { type BlobStore, hashFile } from "./blob-store.ts";
import { withoutProtection } from "./git-objects.ts";
import { isGitOperation, isOfGit } from "./git-state.ts";
import { indexEntries } from "./linked-git.ts";

export const MAX_FILE_BYTES = 8 * 1024 * 1024;

/**
 * State of a path: a file with stored content, a file by size and time (too large or not regular),
 * a symbolic link, a folder, or a skipped folder with a summary of its entries. `entries` is a hash
 * of what git's index and packed references contain, without times and cairn's own references.
 */
export const fileCopy = z.union([
  z.object({ hash: z.string(), mode: z.number(), entries: z.string().optional() }),
  z.object({ size: z.number(), mtimeMs: z.number() }),
  z.object({ link: z.string() }),
  z.object({ folder: z.number() }),
  z.object({ unseen: z.string() }),
]);
export type FileCopy = z.output<typeof fileCopy>;

const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Null if nothing is there. The content is synced to the disk. */
export function copyFile(path: string, store: BlobStore): FileCopy | null {
  return describeFile(path, (content) => store.put(content, { durable: true }));
}

export function readFileState(path: string): FileCopy | null {
  return describeFile(path, hashFile);
}

function describeFile(path: string, hash: (content: Buffer) => string): FileCopy | null {
  const info = tryLstat(path);
  if (info === undefined) return null;
  const { size, mtimeMs } = info;
  if (info.isSymbolicLink()) return { link: readlinkSync(path) };
  if (info.isDirectory()) return { folder: info.mode & 0o7777 };
  if (!info.isFile() || size > MAX_FILE_BYTES) return { size, mtimeMs };
  return contentCopy(path, readPlainFile(path), { hash, mode: info.mode & 0o7777 });
}

/** Files of the project's repository or a submodule's. */
const REPOSITORY_FILE = /\/\.git\/(?:modules\/.+\/)?(index|packed-refs)$/;

export function contentCopy(
  path: string,
  content: Buffer,
  { hash, mode }: { readonly hash: (content: Buffer) => string; readonly mode: number },
): FileCopy {
  const copy = { hash: hash(content), mode };
  const [, name] = REPOSITORY_FILE.exec(path) ?? [];
  if (name === undefined) return copy;
  const entries = name === "index" ? indexEntries(content) : hashFile(withoutProtection(content));
  return { ...copy, entries };
}

function tryLstat(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOTDIR") return undefined;
    throw error;
  }
}

/** Reads a regular file by its real path. Throws if a link replaced a part of it. */
export function readPlainFile(path: string): Buffer {
  const file = openSync(path, READ_FLAGS);
  try {
    const info: Stats = fstatSync(file);
    if (!info.isFile() || locateCopy(file, path) !== path) {
      throw new Error(`${path} is now a link; its target is not read.`);
    }
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

function locateCopy(file: number, path: string): string {
  return process.platform === "linux"
    ? readlinkSync(`/proc/self/fd/${file}`)
    : realpathSync.native(path);
}

/** Compares modes too. */
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

/** Unchanged parts are the same objects as in the state before. */
export interface TreeState {
  /** By path from the root, with slashes; the root is "". */
  readonly folders: ReadonlyMap<string, KnownFolder>;
  /** Skipped folders with a summary of their entries. */
  readonly unseen: ReadonlyMap<string, string>;
}

export interface KnownFolder {
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly ino: number;
  readonly mode: number;
  readonly rulesKey: string;
  readonly files: ReadonlyMap<string, KnownFile>;
  readonly folders: readonly string[];
  readonly unseen: readonly string[];
}

export interface KnownFile {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly ino: number;
  /** False if it was copied so soon that another change could have the same time. */
  readonly isSettled: boolean;
  readonly copy: FileCopy;
}

interface TreeDifference {
  readonly files: readonly {
    readonly path: string;
    readonly before: FileCopy | null;
    readonly after: FileCopy | null;
  }[];
}

const NO_FILES: ReadonlyMap<string, KnownFile> = new Map();

export function treeDifference(before: TreeState, after: TreeState): TreeDifference {
  const files: TreeDifference["files"][number][] = [];
  const compare = (path: string, old: KnownFolder | undefined, now: KnownFolder | undefined) => {
    if (old === now) return;
    const [was, is] = [folderCopy(old), folderCopy(now)];
    const isChosen = !isOfGit(path) || isGitOperation(path);
    if (path !== "" && isChosen && !isSameCopy(was, is)) {
      files.push({ path, before: was, after: is });
    }
    const [had, has] = [old?.files ?? NO_FILES, now?.files ?? NO_FILES];
    for (const file of new Set([...had.keys(), ...has.keys()])) {
      const [one, other] = [had.get(file)?.copy ?? null, has.get(file)?.copy ?? null];
      if (!isSameCopy(one, other)) files.push({ path: file, before: one, after: other });
    }
  };
  for (const [path, now] of after.folders) compare(path, before.folders.get(path), now);
  for (const [path, old] of before.folders) {
    if (!after.folders.has(path)) compare(path, old, undefined);
  }
  const known = joinReplacedFolders(files).filter(
    ({ path }) => !isBelow(path, before) && !isBelow(path, after),
  );
  return { files: [...withWholeGit(known, { before, after }), ...listUnseen(before, after)] };
}

/** A folder that became a file, or the reverse, is one change. */
function joinReplacedFolders(files: TreeDifference["files"]): TreeDifference["files"] {
  const byPath = new Map<string, TreeDifference["files"][number]>();
  for (const one of files) {
    const other = byPath.get(one.path);
    const before = one.before ?? other?.before ?? null;
    byPath.set(one.path, { path: one.path, before, after: one.after ?? other?.after ?? null });
  }
  return [...byPath.values()];
}

function isBelow(path: string, state: TreeState): boolean {
  if (state.unseen.has(path)) return true;
  const slash = path.lastIndexOf("/");
  return slash !== -1 && isBelow(path.slice(0, slash), state);
}

const folderCopy = (folder: KnownFolder | undefined): FileCopy | null =>
  folder === undefined ? null : { folder: folder.mode };

/** A new or removed repository counts as a whole: its single files cannot be restored. */
function withWholeGit(
  files: TreeDifference["files"],
  { before, after }: { readonly before: TreeState; readonly after: TreeState },
): TreeDifference["files"] {
  const [had, has] = [before.folders.has(".git"), after.folders.has(".git")];
  if (had === has) return files;
  const sign = { unseen: "repository" };
  const whole = { path: ".git", before: had ? sign : null, after: has ? sign : null };
  return [...files.filter(({ path }) => !isOfGit(path)), whole];
}

function listUnseen(before: TreeState, after: TreeState): TreeDifference["files"] {
  const paths = new Set([...before.unseen.keys(), ...after.unseen.keys()]);
  const copyIn = ({ unseen }: TreeState, path: string): FileCopy | null => {
    const sign = unseen.get(path);
    return sign === undefined ? null : { unseen: sign };
  };
  return [...paths]
    .map((path) => ({ path, before: copyIn(before, path), after: copyIn(after, path) }))
    .filter((change) => !isSameCopy(change.before, change.after));
}
