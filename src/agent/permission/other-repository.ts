import { lstatSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isInside } from "../../shared/is-inside.ts";

/**
 * True if a file of the project is in a repository within it that is not a submodule, such as a
 * clone that was fetched for reference.
 */
export function isInOtherRepository(projectRoot: string, path: string): boolean {
  const file = resolve(projectRoot, path);
  if (!isInside(projectRoot, file)) return false;
  const isFolder = infoOf(file)?.isDirectory() === true;
  for (
    let at = isFolder ? file : dirname(file);
    at !== projectRoot && at !== dirname(at);
    at = dirname(at)
  ) {
    const info = infoOf(join(at, ".git"));
    if (info?.isDirectory() === true) return true;
    if (info?.isFile() === true) return !isSubmodule(join(at, ".git"));
  }
  return false;
}

function infoOf(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function isSubmodule(file: string): boolean {
  return /^gitdir: .*\.git\/modules\//.test(readFileSync(file, "utf8").slice(0, MAX_READ));
}

const MAX_READ = 4096;
