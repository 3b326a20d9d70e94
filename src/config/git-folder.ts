import { existsSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { isCairnError } from "../shared/errors.ts";
import { gitOutputSync } from "../shared/safe-git.ts";
import { readBounded } from "./read-config-file.ts";

export interface GitFolder {
  /** Real path of the git folder shared by all work trees. */
  readonly common: string;
  /**
   * True if the repository also lists this work tree. A one-sided link could come from an unpacked
   * archive.
   */
  readonly isMutual: boolean;
}

export function gitFolder(dotGit: string): GitFolder | undefined {
  try {
    const stats = statSync(dotGit, { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    const workTree = realpathSync(dirname(dotGit));
    if (stats.isDirectory())
      return isRepository(dotGit) ? followPointer(dotGit, workTree) : undefined;
    const [, target] = /^gitdir: (.+)$/m.exec(readSmall(dotGit) ?? "") ?? [];
    return target === undefined
      ? undefined
      : followPointer(resolve(dirname(dotGit), target), workTree);
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}

function followPointer(to: string, workTree: string): GitFolder {
  const folder = realpathSync(to);
  const shared = readSmall(join(folder, "commondir"))?.trim();
  const isOwn = folder === join(workTree, ".git") || folder.startsWith(`${workTree}${sep}`);
  if (shared === undefined || isOwn) {
    return { common: folder, isMutual: isOwn || isWorkTreeOf(folder, workTree) };
  }
  const common = realpathSync(resolve(folder, shared));
  const isListed = dirname(folder) === join(common, "worktrees");
  return { common, isMutual: isListed && pointsBack(folder, workTree) };
}

function pointsBack(folder: string, workTree: string): boolean {
  const back = readSmall(join(folder, "gitdir"))?.trim();
  if (back === undefined || basename(back) !== ".git") return false;
  return isSameFolder(dirname(resolve(folder, back)), workTree);
}

function isWorkTreeOf(folder: string, workTree: string): boolean {
  const [, named] =
    /^\s*worktree\s*=\s*"?([^"\n]+)/m.exec(readSmall(join(folder, "config")) ?? "") ?? [];
  return named !== undefined && isSameFolder(resolve(folder, named.trim()), workTree);
}

function isSameFolder(path: string, workTree: string): boolean {
  const exists = statSync(path, { throwIfNoEntry: false }) !== undefined;
  return exists && realpathSync(path) === workTree;
}

function isRepository(folder: string): boolean {
  return statSync(join(folder, "HEAD"), { throwIfNoEntry: false }) !== undefined;
}

export function readSmall(path: string): string | undefined {
  try {
    return readBounded(path)?.bytes.toString("utf8");
  } catch (error) {
    if (isCairnError(error)) return undefined;
    throw error;
  }
}

export interface GitEvidence {
  /** Root commits. */
  readonly firsts: readonly string[];
  /** Without users, passwords and schemes. */
  readonly remotes: readonly string[];
}

export type Agreement = "first commit" | "remote";

const TIMEOUT_MS = 3_000;

/** Undefined without commits. */
export function collectEvidence(workTree: string, common: string): GitEvidence | undefined {
  if (!existsSync(join(common, "logs", "HEAD")) && !existsSync(join(common, "packed-refs"))) {
    return undefined;
  }
  const printed = gitOutputSync(["rev-list", "--max-parents=0", "HEAD"], {
    cwd: workTree,
    timeout: TIMEOUT_MS,
  });
  const firsts = (printed ?? "").split("\n").filter((line) => /^[0-9a-f]{40,64}$/.test(line));
  return { firsts, remotes: listRemotes(readSmall(join(common, "config")) ?? "") };
}

function listRemotes(config: string): string[] {
  const remotes = new Set<string>();
  let isRemote = false;
  for (const line of config.split("\n")) {
    const section = /^\s*\[(.*)\]/.exec(line)?.[1];
    if (section !== undefined) isRemote = /^remote\s+"/.test(section);
    const url = /^\s*url\s*=\s*(\S.*)$/.exec(line)?.[1];
    if (isRemote && url !== undefined) remotes.add(parseRemote(url.trim()));
  }
  return [...remotes].sort();
}

/** Normalizes `git@host:a/b.git` and `https://me:secret@host/a/b` to `host/a/b`. */
function parseRemote(url: string): string {
  const [, host, path] =
    /^[a-z][a-z0-9+.-]*:\/\/(?:[^@/]*@)?([^/:]+)(?::\d+)?\/+(.*)$/i.exec(url) ??
    /^(?:[^@/]*@)?([^/:]+):(?!\/\/)(.*)$/.exec(url) ??
    [];
  const location = host === undefined ? url : `${host.toLowerCase()}/${path?.replace(/^\/+/, "")}`;
  return location.replace(/\/+$/, "").replace(/\.git$/, "");
}

export function compareEvidence(one: GitEvidence, other: GitEvidence): Agreement[] {
  const overlaps = (a: readonly string[], b: readonly string[]) =>
    a.some((each) => b.includes(each));
  return [
    ...(overlaps(one.firsts, other.firsts) ? ["first commit" as const] : []),
    ...(overlaps(one.remotes, other.remotes) ? ["remote" as const] : []),
  ];
}
