import { lstatSync } from "node:fs";
import { resolve } from "node:path";
import type { ProcessTable } from "../processes/process-table.ts";

const MADE_UP = /[$`*?[\]{}~]/;

const LONGEST_MS = 10_000;
/** True if nothing is there that an `rm` names. False where that cannot be told. */
export function namesNothing(words: readonly string[], projectRoot: string): boolean {
  const paths = words.slice(1).filter((word) => !word.startsWith("-"));
  if (paths.length === 0 || paths.some((path) => MADE_UP.test(path))) return false;
  return paths.every((path) => !lstatSync(resolve(projectRoot, path), { throwIfNoEntry: false }));
}

/**
 * True if git has everything that an `rm` names, as it is now: nothing of it is changed, untracked
 * or ignored. False where that cannot be told.
 */
export async function isHeldByGit(
  words: readonly string[],
  processes: ProcessTable,
): Promise<boolean> {
  const paths = words.slice(1).filter((word) => !word.startsWith("-"));
  if (paths.length === 0 || paths.some((path) => MADE_UP.test(path))) return false;
  const quoted = paths.map((path) => `'${path.replaceAll("'", "'\\''")}'`).join(" ");
  const process = await processes.start(
    `git ls-files --error-unmatch -- ${quoted} >/dev/null 2>&1 && ` +
      `test -z "$(git status --porcelain --ignored --untracked-files=all -- ${quoted} 2>&1)"`,
    { readOnly: true },
  );
  const timer = setTimeout(() => void process.kill(), LONGEST_MS);
  await process.ended;
  clearTimeout(timer);
  return process.state.phase === "ended" && process.state.exitCode === 0;
}
