import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type GitFolder, gitFolder } from "./git-folder.ts";
import { isElsewhere, knownRepositories, repositoryId } from "./git-ids.ts";

export interface GitDatabase {
  /** `shop-3f2a9c` */
  readonly name: string;
  /** Top folder of the work tree. */
  readonly workTree: string;
  /** The folder that all work trees share; undefined where it is another repository's. */
  readonly common: string | undefined;
  readonly refused?: string;
}

/**
 * The database of the git work tree in which a folder lies, the same for all work trees of one
 * repository; undefined outside of any. It is the one that was kept for the repository's id, which
 * moves with it; else one named after the folder. Git itself is not asked: its files say it, and at once.
 */
export function gitDatabase(cwd: string, dataDir: string): GitDatabase | undefined {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const found = gitFolder(join(folder, ".git"));
    if (found !== undefined) return databaseOf(folder, found, dataDir);
    if (folder === dirname(folder)) return undefined;
  }
}

function databaseOf(workTree: string, { common, isMutual }: GitFolder, dataDir: string) {
  if (isMutual) return { name: storedName(common, dataDir), workTree, common };
  const own = join(realpathSync(workTree), ".git");
  const refused =
    `${join(workTree, ".git")} leads to ${common}, which does not know this folder, so the memory of that repository is not used here. ` +
    "For a work tree that was moved, run `git worktree repair` there; to choose a database by hand, run `cairn init NAME`.";
  return { name: nameOf(own), workTree, common: undefined, refused };
}

function storedName(common: string, dataDir: string): string {
  const known = knownRepositories(dataDir);
  const id = repositoryId(common);
  const kept = id === undefined ? undefined : known[id];
  if (id !== undefined && kept !== undefined && !isElsewhere(id, kept, common))
    return kept.database;
  const name = nameOf(common);
  // Another repository lay here and took the name with it.
  const holder = Object.entries(known).find(
    ([other, one]) => one.database === name && one.common !== common && other !== id,
  );
  return holder === undefined ? name : nameOf(common, holder[0]);
}

const HASH_DIGITS = 6;
/** What is left of the 64 characters of a name. */
const FOLDER_CHARS = 57;

function nameOf(common: string, salt = ""): string {
  const folder = basename(common) === ".git" ? dirname(common) : common.replace(/\.git$/, "");
  const hash = createHash("sha256")
    .update(common + salt)
    .digest("hex")
    .slice(0, HASH_DIGITS);
  return `${databaseNameFor(basename(folder)) || "project"}-${hash}`;
}

/** A folder's name with everything that a database cannot be called made a hyphen; may be empty. */
export function databaseNameFor(folder: string): string {
  return folder
    .normalize("NFKD")
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^[^A-Za-z0-9]+/, "")
    .slice(0, FOLDER_CHARS)
    .replace(/-+$/, "");
}
