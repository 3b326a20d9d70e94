import { type FileCopy, isSameCopy } from "./file-copy.ts";
import { isOfGit } from "./git-state.ts";

/** The files of a project at one moment. What stayed the same is the same object as before. */
export interface TreeState {
  /** By path from the root, with slashes; the root is "". */
  readonly folders: ReadonlyMap<string, KnownFolder>;
  /** Folders that are not looked through, with a sign of what lies in them. */
  readonly unseen: ReadonlyMap<string, string>;
}

export interface KnownFolder {
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly ino: number;
  readonly mode: number;
  readonly rulesKey: string;
  /** By path from the root. */
  readonly files: ReadonlyMap<string, KnownFile>;
  /** Paths from the root. */
  readonly folders: readonly string[];
  /** Paths from the root of those that are not looked through. */
  readonly unseen: readonly string[];
}

export interface KnownFile {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly ino: number;
  /** False: it was copied so soon after a change that another one could have the same time. */
  readonly isSettled: boolean;
  readonly copy: FileCopy;
}

export interface TreeDifference {
  /** Paths from the root. */
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
    // Git makes and removes its folders as it needs them.
    if (path !== "" && !isOfGit(path) && !isSameCopy(was, is)) {
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
  const known = joined(files).filter(({ path }) => !isBelow(path, before) && !isBelow(path, after));
  return { files: [...withWholeGit(known, { before, after }), ...unseenOf(before, after)] };
}

/** A folder that became a file, or the other way round, is one change and not two. */
function joined(files: TreeDifference["files"]): TreeDifference["files"] {
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

/** Files of a repository that is new or gone: of these alone none could be made or taken away. */
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

function unseenOf(before: TreeState, after: TreeState): TreeDifference["files"] {
  const paths = new Set([...before.unseen.keys(), ...after.unseen.keys()]);
  const copyIn = ({ unseen }: TreeState, path: string): FileCopy | null => {
    const sign = unseen.get(path);
    return sign === undefined ? null : { unseen: sign };
  };
  return [...paths]
    .map((path) => ({ path, before: copyIn(before, path), after: copyIn(after, path) }))
    .filter((change) => !isSameCopy(change.before, change.after));
}
