import type { FileCopy } from "./file-copy.ts";

/** The files of a project at one moment. What stayed the same is the same object as before. */
export interface TreeState {
  /** By path from the root, with slashes; the root is "". */
  readonly folders: ReadonlyMap<string, KnownFolder>;
}

export interface KnownFolder {
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly ino: number;
  /** Of the ignore files that count in it. */
  readonly rulesKey: string;
  /** By path from the root. */
  readonly files: ReadonlyMap<string, KnownFile>;
  /** Paths from the root. */
  readonly folders: readonly string[];
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
  readonly newFolders: readonly string[];
}

const NO_FILES: ReadonlyMap<string, KnownFile> = new Map();

export function treeDifference(before: TreeState, after: TreeState): TreeDifference {
  const files: TreeDifference["files"][number][] = [];
  const compare = (old: KnownFolder | undefined, now: KnownFolder | undefined) => {
    if (old === now) return;
    const [had, has] = [old?.files ?? NO_FILES, now?.files ?? NO_FILES];
    for (const path of new Set([...had.keys(), ...has.keys()])) {
      const [one, other] = [had.get(path), has.get(path)];
      if (one === other) continue;
      files.push({ path, before: one?.copy ?? null, after: other?.copy ?? null });
    }
  };
  for (const [path, now] of after.folders) compare(before.folders.get(path), now);
  for (const [path, old] of before.folders) if (!after.folders.has(path)) compare(old, undefined);
  const newFolders = [...after.folders.keys()].filter((path) => !before.folders.has(path));
  return { files, newFolders };
}
