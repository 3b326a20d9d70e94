import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { indexEntries } from "./git-index.ts";

const OWN = ["HEAD", "MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD"];
const SHARED = ["packed-refs", "refs/stash", "refs/heads", "refs/tags"];

/**
 * A mark of where git stands in a linked worktree, whose repository lies outside of the project and
 * is shared with others: what is checked out, staged, stashed and which branches there are. Undefined
 * where the project is no linked worktree.
 */
export function linkedGitMark(root: string): string | undefined {
  const named = /^gitdir: (.+?)\s*$/.exec(read(join(root, ".git"))?.toString() ?? "")?.[1];
  if (named === undefined) return undefined;
  const own = resolve(root, named);
  const common = resolve(own, read(join(own, "commondir"))?.toString().trim() ?? ".");
  const sum = createHash("sha256");
  for (const name of OWN) sum.update(`${name} ${read(join(own, name))?.toString()}\n`);
  const index = read(join(own, "index"));
  if (index !== undefined) sum.update(indexEntries(index));
  for (const name of SHARED) addAll(join(common, name), sum);
  return sum.digest("hex");
}

function addAll(path: string, sum: ReturnType<typeof createHash>): void {
  const names = namesIn(path);
  if (names === undefined) sum.update(`${path} ${read(path)?.toString()}\n`);
  else for (const name of names) addAll(join(path, name), sum);
}

/** Undefined for what is no folder. */
function namesIn(path: string): readonly string[] | undefined {
  try {
    return readdirSync(path).sort();
  } catch {
    return undefined;
  }
}

/** Undefined for what is no file, or is not there. */
function read(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
