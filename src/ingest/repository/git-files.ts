import { gitOutputSync } from "../../shared/safe-git.ts";

const TIMEOUT_MS = 20_000;
const MAX_OUTPUT = 256 * 1024 * 1024;

/** Returns the HEAD commit; undefined outside a repository or before the first commit. */
export function resolveHead(folder: string): string | undefined {
  return git(folder, ["rev-parse", "--verify", "--quiet", "HEAD"])?.trim();
}

/** Returns the head of an unfinished merge, cherry-pick or rebase, if any. */
export function unmergedHead(folder: string): string | undefined {
  for (const name of ["MERGE_HEAD", "REBASE_HEAD", "CHERRY_PICK_HEAD"]) {
    const commit = git(folder, ["rev-parse", "--verify", "--quiet", name])?.trim();
    if (commit !== undefined && commit !== "") return commit;
  }
  return undefined;
}

/** Returns the merge base; undefined if there is none or a commit is unknown. */
export function findMergeBase(folder: string, one: string, other: string): string | undefined {
  return git(folder, ["merge-base", one, other])?.trim() || undefined;
}

export function textsAt(folder: string, commit: string, path: string): string[] {
  const rows = git(folder, ["ls-tree", "-r", "-z", "--full-tree", commit, "--", path]) ?? "";
  const blobs = rows
    .split("\0")
    .flatMap((row) => /^100\d+ blob ([0-9a-f]+)\t/.exec(row)?.[1] ?? []);
  return blobs.map((blob) => git(folder, ["cat-file", "blob", blob]) ?? "");
}

function git(cwd: string, args: readonly string[]): string | undefined {
  return gitOutputSync(args, { cwd, timeout: TIMEOUT_MS, maxBuffer: MAX_OUTPUT });
}
