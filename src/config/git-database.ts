import { createHash } from "node:crypto";
import { readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

export interface GitDatabase {
  /** `shop-3f2a9c` */
  readonly name: string;
  /** Top folder of the work tree. */
  readonly workTree: string;
}

/**
 * The database of the git work tree in which a folder lies, the same for all work trees of one
 * repository; undefined outside of any. Git itself is not asked: its files say it, and at once.
 */
export function gitDatabase(cwd: string): GitDatabase | undefined {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const common = commonFolder(join(folder, ".git"));
    if (common !== undefined) return { name: nameOf(common), workTree: folder };
    if (folder === dirname(folder)) return undefined;
  }
}

/** The folder that all work trees of the repository share, by its real path. */
function commonFolder(dotGit: string): string | undefined {
  const stats = statSync(dotGit, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  try {
    if (stats.isDirectory()) return isRepository(dotGit) ? realpathSync(dotGit) : undefined;
    const [, target] = /^gitdir: (.+)$/m.exec(readFileSync(dotGit, "utf8")) ?? [];
    if (target === undefined) return undefined;
    const folder = resolve(dirname(dotGit), target.trim());
    return realpathSync(resolve(folder, readCommonDir(folder)));
  } catch (error) {
    // A file that points nowhere, or may not be read, makes no work tree.
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}

function isRepository(folder: string): boolean {
  return statSync(join(folder, "HEAD"), { throwIfNoEntry: false }) !== undefined;
}

/** A further work tree names the common folder; in a submodule its own is the common one. */
function readCommonDir(folder: string): string {
  const file = join(folder, "commondir");
  if (statSync(file, { throwIfNoEntry: false }) === undefined) return ".";
  return readFileSync(file, "utf8").trim();
}

const HASH_DIGITS = 6;
/** What is left of the 64 characters of a name. */
const FOLDER_CHARS = 57;

function nameOf(common: string): string {
  const folder = basename(common) === ".git" ? dirname(common) : common.replace(/\.git$/, "");
  const hash = createHash("sha256").update(common).digest("hex").slice(0, HASH_DIGITS);
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
