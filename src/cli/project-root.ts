import { existsSync, type Stats, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import type { Environment } from "../shared/environment.ts";

const PROJECT_MARKERS = [join(".cairn", "config.json"), join(".cairn", "commands")];

/**
 * Returns the agent's project folder: the nearest ancestor with a config or git work tree, else
 * `cwd`. Ignores folders of other users, and the home folder and its ancestors unless cairn runs
 * there.
 */
export function findProjectRoot(cwd: string, env: Environment): string {
  const home = env.HOME || env.USERPROFILE || homedir();
  for (let folder = cwd; folder !== home && !home.startsWith(`${folder}/`); ) {
    if (isRoot(folder)) return folder;
    const parent = dirname(folder);
    if (parent === folder) break;
    folder = parent;
  }
  return cwd;
}

function isRoot(folder: string): boolean {
  if (PROJECT_MARKERS.some((marker) => isOwnedByUser(join(folder, marker)))) return true;
  const git = join(folder, ".git");
  return isOwnedByUser(git) && (tryStat(git)?.isFile() === true || existsSync(join(git, "HEAD")));
}

/** Ignores a `.git` that another user put into a world-writable folder. */
function isOwnedByUser(path: string): boolean {
  const stats = tryStat(path);
  if (stats === undefined) return false;
  const user = process.getuid?.();
  return user === undefined || stats.uid === user;
}

function tryStat(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}
