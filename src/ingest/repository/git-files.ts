import { gitOutputSync } from "../../shared/safe-git.ts";

const TIMEOUT_MS = 20_000;
const MAX_OUTPUT = 256 * 1024 * 1024;

/** The commit on which the folder stands; undefined outside of a repository, or before its first. */
export function headOf(folder: string): string | undefined {
  return git(folder, ["rev-parse", "--verify", "--quiet", "HEAD"])?.trim();
}

/** The commit that is being merged, picked or laid on top, where git has not finished; undefined: none. */
export function unmergedHead(folder: string): string | undefined {
  for (const name of ["MERGE_HEAD", "REBASE_HEAD", "CHERRY_PICK_HEAD"]) {
    const commit = git(folder, ["rev-parse", "--verify", "--quiet", name])?.trim();
    if (commit !== undefined && commit !== "") return commit;
  }
  return undefined;
}

/** The commit from which both descend; undefined: there is none, or git does not know one of them. */
export function forkOf(folder: string, one: string, other: string): string | undefined {
  return git(folder, ["merge-base", one, other])?.trim() || undefined;
}

/** The texts of the files below `path` in a commit. */
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
