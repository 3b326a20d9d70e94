import { type Dirent, lstatSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { invalidInput } from "../../shared/errors.ts";
import { safeGit } from "./safe-git.ts";

/** Folders of dependencies, which are copied as they are and never compared. */
export const DEPENDENCIES: ReadonlySet<string> = new Set([
  "node_modules",
  ".venv",
  "venv",
  "vendor",
  "Pods",
  ".bundle",
]);
/** More than this is no project, or should be one in git. */
const MOST_FILES = 400_000;

/**
 * Files and links of a tree, relative, with slashes, in order: in git those that it tracks and those
 * that it would, elsewhere all but dependencies. Throws invalid_input for a tree that is too large.
 */
export async function filesOfTree(root: string, isInGit = true): Promise<readonly string[]> {
  const listed = isInGit ? await safeGit(root, LIST) : undefined;
  const paths = listed === undefined ? await walk(root, "") : listed.split("\0");
  const found = new Set<string>();
  for (const path of paths) {
    if (path === "" || isInside(path)) continue;
    for (const file of await filesAt(root, path)) found.add(file);
    if (found.size > MOST_FILES) throw tooLarge(root);
  }
  return [...found].sort();
}

const LIST = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];

/** A path of git's own, or one that leads out of the tree. */
function isInside(path: string): boolean {
  return path.split("/").some((part) => part === ".git" || part === "..");
}

/** A submodule is listed as one path, and is a folder of files. */
async function filesAt(root: string, path: string): Promise<readonly string[]> {
  const stats = lstatSync(join(root, path), { throwIfNoEntry: false });
  if (stats === undefined) return [];
  if (stats.isFile() || stats.isSymbolicLink()) return [path];
  return stats.isDirectory() ? walk(root, path) : [];
}

/** All that lies there, of a place that nobody works in. */
export function everyFileOf(root: string): Promise<readonly string[]> {
  return walk(root, "", () => false);
}

async function walk(root: string, from: string, isLeftOut = isNotOurs): Promise<string[]> {
  const files: string[] = [];
  const folders = [from];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!isLeftOut(entry)) folders.push(path);
      } else if (entry.isFile() || entry.isSymbolicLink()) files.push(path);
    }
    if (files.length > MOST_FILES) throw tooLarge(root);
  }
  return files;
}

function isNotOurs({ name }: Dirent): boolean {
  return name === ".git" || DEPENDENCIES.has(name);
}

function tooLarge(root: string) {
  return invalidInput(
    `${root} has more than ${MOST_FILES.toLocaleString("en")} files, which is too much for a copy.`,
  );
}
