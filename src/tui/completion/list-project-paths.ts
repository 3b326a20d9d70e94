import { readdir } from "node:fs/promises";
import { join } from "node:path";

const SKIPPED = new Set([
  "node_modules",
  ".git",
  "dist",
  "build",
  "target",
  ".venv",
  "__pycache__",
]);
/** Enough for most projects, and quick for all. */
const MOST_PATHS = 10_000;

/**
 * Files and folders below `root`, relative, folders with a trailing slash, nearest first. Folders
 * of dependencies and build output are left out; what cannot be read is, too.
 */
export async function listProjectPaths(root: string): Promise<readonly string[]> {
  const paths: string[] = [];
  const folders = [""];
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    for (const entry of await readFolder(join(root, folder))) {
      if (paths.length >= MOST_PATHS) return paths;
      if (SKIPPED.has(entry.name)) continue;
      const path = folder + entry.name;
      if (/[\x00-\x20\x7f-\x9f]/.test(entry.name)) continue;
      if (!entry.isDirectory()) paths.push(path);
      else {
        paths.push(`${path}/`);
        folders.push(`${path}/`);
      }
    }
  }
  return paths;
}

async function readFolder(path: string) {
  try {
    return (await readdir(path, { withFileTypes: true })).sort((a, b) =>
      a.name < b.name ? -1 : 1,
    );
  } catch {
    // A folder that may not be read has nothing to offer.
    return [];
  }
}
