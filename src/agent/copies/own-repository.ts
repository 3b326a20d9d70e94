import { copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { cp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { isWithin } from "./is-within.ts";
import { safeGit } from "./safe-git.ts";

/**
 * A repository of the copy's own, with its own branch and index, that reads the objects of the first
 * one and writes nothing there: no hook, setting or branch of the project can be reached from it, and
 * throwing it away leaves nothing behind. False where the project is in no git, or has no commit.
 */
export async function makeOwnRepository(
  from: string,
  to: string,
  branch: string,
): Promise<boolean> {
  const head = (await safeGit(from, ["rev-parse", "--verify", "HEAD"]))?.trim();
  const common = (await safeGit(from, ["rev-parse", "--git-common-dir"]))?.trim();
  const top = (await safeGit(from, ["rev-parse", "--show-toplevel"]))?.trim();
  if (head === undefined || common === undefined || top === undefined) return false;
  // A part of a repository is copied as a part, without the history of the whole.
  if (resolve(top) !== resolve(from)) return false;
  const git = resolve(from, common);
  if ((await safeGit(to, ["init", "-q", "--template="])) === undefined) return false;
  const own = join(to, ".git");
  await shareObjects(join(git, "objects"), join(own, "objects"));
  if (existsSync(join(git, "shallow"))) copyFileSync(join(git, "shallow"), join(own, "shallow"));
  const former = (await safeGit(from, ["symbolic-ref", "--short", "-q", "HEAD"]))?.trim() ?? "";
  const steps = [
    ["update-ref", `refs/heads/${branch}`, head],
    ["symbolic-ref", "HEAD", `refs/heads/${branch}`],
    ...(former === "" || former === branch ? [] : [["update-ref", `refs/heads/${former}`, head]]),
    ["read-tree", "HEAD"],
  ];
  for (const step of steps) {
    if ((await safeGit(to, step)) === undefined) return false;
  }
  await keepName(from, to);
  return true;
}

/** Commands in the sandbox have temporary files of their own: what lies among them is copied. */
async function shareObjects(from: string, to: string): Promise<void> {
  if (isWithin(from, tmpdir())) return cp(from, to, { recursive: true });
  mkdirSync(join(to, "info"), { recursive: true });
  writeFileSync(join(to, "info", "alternates"), `${from}\n`);
}

/** Commits in the copy are the person's. */
async function keepName(from: string, to: string): Promise<void> {
  for (const name of ["user.name", "user.email"]) {
    const value = (await safeGit(from, ["config", "--get", name]))?.trim();
    if (value !== undefined && value !== "") await safeGit(to, ["config", name, value]);
  }
}
