import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";

/** What is checked out in a git work tree: a branch, or the beginning of a commit's id. */
export async function gitBranch(root: string): Promise<string | undefined> {
  try {
    const head = await readFile(join(await gitFolder(root), "HEAD"), "utf8");
    const branch = /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1];
    return branch ?? /^[0-9a-f]{7}/.exec(head)?.[0];
  } catch {
    return undefined;
  }
}

/** A further work tree has a file that names its folder. */
async function gitFolder(root: string): Promise<string> {
  const dotGit = join(root, ".git");
  const named = await readFile(dotGit, "utf8").catch(() => "");
  const target = /^gitdir: (.+)$/m.exec(named)?.[1];
  return target === undefined ? dotGit : resolve(root, target.trim());
}
