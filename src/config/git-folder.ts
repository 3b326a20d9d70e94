import { realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { isCairnError } from "../shared/errors.ts";
import { readBounded } from "./read-config-file.ts";

export interface GitFolder {
  /** Real path of the folder that all work trees of the repository share. */
  readonly common: string;
  /**
   * True if the repository knows of this work tree. A link to it can be written by anybody, also
   * into an archive that somebody unpacks beside it.
   */
  readonly isMutual: boolean;
}

/** What `.git` of a folder leads to; undefined where that is no repository. Git itself is not asked. */
export function gitFolder(dotGit: string): GitFolder | undefined {
  try {
    const stats = statSync(dotGit, { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    const workTree = realpathSync(dirname(dotGit));
    if (stats.isDirectory()) return isRepository(dotGit) ? led(dotGit, workTree) : undefined;
    const [, target] = /^gitdir: (.+)$/m.exec(readSmall(dotGit) ?? "") ?? [];
    return target === undefined ? undefined : led(resolve(dirname(dotGit), target), workTree);
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}

function led(to: string, workTree: string): GitFolder {
  const folder = realpathSync(to);
  const shared = readSmall(join(folder, "commondir"))?.trim();
  const isOwn = folder === join(workTree, ".git") || folder.startsWith(`${workTree}${sep}`);
  if (shared === undefined || isOwn) {
    return { common: folder, isMutual: isOwn || namesWorkTree(folder, workTree) };
  }
  const common = realpathSync(resolve(folder, shared));
  const isListed = dirname(folder) === join(common, "worktrees");
  return { common, isMutual: isListed && leadsBack(folder, workTree) };
}

/** As `git worktree add` writes it. */
function leadsBack(folder: string, workTree: string): boolean {
  const back = readSmall(join(folder, "gitdir"))?.trim();
  if (back === undefined || basename(back) !== ".git") return false;
  return isSameFolder(dirname(resolve(folder, back)), workTree);
}

function namesWorkTree(folder: string, workTree: string): boolean {
  const [, named] =
    /^\s*worktree\s*=\s*"?([^"\n]+)/m.exec(readSmall(join(folder, "config")) ?? "") ?? [];
  return named !== undefined && isSameFolder(resolve(folder, named.trim()), workTree);
}

function isSameFolder(path: string, workTree: string): boolean {
  const there = statSync(path, { throwIfNoEntry: false }) !== undefined;
  return there && realpathSync(path) === workTree;
}

function isRepository(folder: string): boolean {
  return statSync(join(folder, "HEAD"), { throwIfNoEntry: false }) !== undefined;
}

/** Undefined for what is not there, or no regular file of a reasonable size. */
export function readSmall(path: string): string | undefined {
  try {
    return readBounded(path)?.bytes.toString("utf8");
  } catch (error) {
    if (isCairnError(error)) return undefined;
    throw error;
  }
}
