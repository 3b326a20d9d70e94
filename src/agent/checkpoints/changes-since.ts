import { dirname, join } from "node:path";
import type { BlobStore } from "./blob-store.ts";
import { copyFile, type FileCopy, isReached, isSameCopy } from "./file-copy.ts";
import { linkedGitMark } from "./linked-git.ts";
import { type TreeState, treeDifference } from "./tree-state.ts";
import type { FileChange, OpenTurn } from "./turn-record.ts";

export type Before = Pick<OpenTurn, "written" | "folders" | "tree" | "linkedGit">;

/** A project of which can be asked how it is now. */
export interface LookedThrough {
  readonly root: string;
  readonly store: BlobStore;
  look(): Promise<TreeState | undefined>;
}

export interface TurnChanges {
  readonly files: FileChange[];
  readonly folders: string[];
  /** The project at the end, where commands ran. */
  readonly after: TreeState | undefined;
  /** Git stands elsewhere, and its repository lies outside of the project. */
  readonly movedGit: boolean;
}

export async function changesSince(
  project: LookedThrough,
  {
    written,
    folders,
    state,
    linkedGit,
  }: Omit<Before, "tree"> & { readonly state: TreeState | undefined },
): Promise<TurnChanges> {
  const changeOf = (path: string, before: FileCopy | null): FileChange => ({
    path,
    before,
    after: copyFile(path, project.store),
  });
  const files = written.map(({ path, before }) => changeOf(path, before));
  const after = state === undefined ? undefined : await project.look();
  if (state !== undefined && after !== undefined) {
    const known = new Set(written.map(({ path }) => path));
    const others = treeDifference(state, after).files.map((file) => ({
      ...file,
      path: join(project.root, file.path),
    }));
    const reached = new Map<string, boolean>();
    // One that is ignored since is not gone.
    const now = (file: FileChange) =>
      file.after === null && isReached(dirname(file.path), reached)
        ? changeOf(file.path, file.before)
        : file;
    files.push(...others.filter(({ path }) => !known.has(path)).map(now));
  }
  const changed = files.filter(({ before, after: now }) => !isSameCopy(before, now));
  const movedGit = linkedGit !== undefined && linkedGitMark(project.root) !== linkedGit;
  return { files: changed, folders, after, movedGit };
}
