import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** Folders that are looked into at most, the nearest to the root first. */
const MAX_FOLDERS = 20_000;
const AT_ONCE = 16;

export interface GitFolders {
  /** Folders that git takes for a repository: `.git`, bare ones, those of submodules. */
  readonly folders: readonly string[];
  /** `.git` that is a file or a symbolic link, and so names a folder elsewhere. */
  readonly links: readonly string[];
}

/** Everything below a folder that git would take for a repository. Symbolic links are not followed. */
export async function findGitFolders(root: string): Promise<GitFolders> {
  const folders: string[] = [];
  const links: string[] = [];
  let level = [root];
  let looked = 0;
  while (level.length > 0 && looked < MAX_FOLDERS) {
    const next: string[] = [];
    const now = level.slice(0, MAX_FOLDERS - looked);
    looked += now.length;
    for (let at = 0; at < now.length; at += AT_ONCE) {
      const batch = now.slice(at, at + AT_ONCE);
      const lists = await Promise.all(batch.map(listFolder));
      lists.forEach((entries, index) => {
        const folder = batch[index] ?? root;
        const names = new Set(entries.map(({ name }) => name));
        const isRepository =
          names.has("HEAD") &&
          ((names.has("objects") && names.has("refs")) || names.has("commondir"));
        if (isRepository) folders.push(folder);
        for (const entry of entries) {
          const path = join(folder, entry.name);
          if (entry.name.toLowerCase() === ".git" && !entry.isDirectory()) links.push(path);
          if (!entry.isDirectory()) continue;
          // Of a repository's own folders only these hold others: the rest are thousands.
          if (isRepository && ["objects", "refs", "logs", "hooks", "info"].includes(entry.name)) {
            continue;
          }
          next.push(path);
        }
      });
    }
    // Packages that were installed come last, where there are more folders than can be looked at.
    level = [
      ...next.filter((path) => !path.includes("node_modules")),
      ...next.filter((path) => path.includes("node_modules")),
    ];
  }
  return { folders, links };
}

async function listFolder(folder: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch {
    // Gone since, or not to be read by this user, for whom git could not read it either.
    return [];
  }
}
