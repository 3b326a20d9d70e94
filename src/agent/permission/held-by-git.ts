import { lstatSync } from "node:fs";
import { resolve } from "node:path";
import { disabledFilters, gitOutputOf } from "../../shared/safe-git.ts";
import { isHarmlessRepository } from "./repository-config.ts";

/** Characters by which a shell makes other words of one. */
const EXPANDED = /[$`*?[\]{}~]/;
const TIMEOUT_MS = 10_000;

/** True if nothing exists that an `rm` in this folder names. False where that is unknown. */
export function namesNothing(words: readonly string[], folder: string): boolean {
  const paths = pathsOf(words);
  return (
    paths?.every((path) => !lstatSync(resolve(folder, path), { throwIfNoEntry: false })) === true
  );
}

/**
 * True if git stores everything that an `rm` in this folder names, as it is now: nothing of it is
 * changed, untracked, ignored, hidden from git or another repository. False where that is unknown.
 */
export async function isHeldByGit(words: readonly string[], folder: string): Promise<boolean> {
  const paths = pathsOf(words);
  if (paths === undefined || !isHarmlessRepository(folder)) return false;
  try {
    const config = await disabledFilters(folder);
    const git = (...args: string[]) =>
      gitOutputOf([...args, "--", ...paths], {
        ...{ cwd: folder, config, timeout: TIMEOUT_MS },
        env: { GIT_LITERAL_PATHSPECS: "1" },
      });
    const entries = await git("ls-files", "-v", "--stage", "-z", "--error-unmatch");
    // `H`: changes are noticed (skip-worktree and assume-unchanged have other letters); 160000: a repository.
    const isPlain = (entry: string) => /^H (?!160000)\d{6} /.test(entry);
    if (!entries.split("\0").slice(0, -1).every(isPlain)) return false;
    return (await git("status", "--porcelain", "--ignored", "--untracked-files=all")) === "";
  } catch {
    // Expected: git is missing, slow, or does not know one of the paths.
    return false;
  }
}

function pathsOf(words: readonly string[]): readonly string[] | undefined {
  const paths = words.slice(1).filter((word) => !word.startsWith("-"));
  return paths.length === 0 || paths.some((path) => EXPANDED.test(path)) ? undefined : paths;
}
