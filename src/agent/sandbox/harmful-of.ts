import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isInside } from "../../shared/is-inside.ts";
import { isHarmlessGitConfig } from "../tools/harmless-git-config.ts";
import {
  foldersNamedBy,
  type GuardedPlaces,
  type GuardedThings,
  isGone,
  lookAt,
  readSmall,
} from "./find-guarded.ts";

/** Of a repository: by these git runs programs, or reads its config from elsewhere. */
export const WATCHED = ["config", "config.worktree", "commondir", "hooks", "rebase-merge"];

/**
 * What of a new thing has to be moved for nothing to act upon it: itself, hooks in it, or nothing where
 * it is harmless. Throws where it could not be read for a reason that may pass.
 */
export async function harmfulOf(
  path: string,
  found: GuardedThings,
  places: GuardedPlaces,
): Promise<readonly string[]> {
  if (found.links.includes(path)) return (await leadsInto(path, places)) ? [] : [path];
  if (!found.folders.includes(dirname(path))) return [path];
  const name = basename(path);
  if (name === "hooks") return liveHooks(path);
  if (name === "commondir") return (await readsAs(path, /^\.\.\/\.\.\n?$/)) ? [] : [path];
  if (name === "rebase-merge") return (await runsByRebase(path)) ? [path] : [];
  return (await isHarmlessConfig(path)) ? [] : [path];
}

/** Hooks that git would run; a path that is no folder is moved as a whole. */
async function liveHooks(path: string): Promise<readonly string[]> {
  const info = await lookAt(path);
  if (info === undefined) return [];
  if (!info.isDirectory()) return [path];
  const names = await readdir(path).catch((error: unknown) => {
    if (isGone(error)) return [];
    throw error;
  });
  return names.filter((name) => !name.endsWith(".sample")).map((name) => join(path, name));
}

async function isHarmlessConfig(path: string): Promise<boolean> {
  const text = await readSmall(path);
  return text !== undefined && isHarmlessGitConfig(text);
}

async function readsAs(path: string, expected: RegExp): Promise<boolean> {
  const text = await readSmall(path);
  return text !== undefined && expected.test(text);
}

/** Merge strategies that are part of git; another name is a program. */
const STRATEGY = /^(|ort|recursive|resolve|octopus|ours|subtree)\s*$/;

/** True if `git rebase --continue` would run a command that the state of a rebase names. */
export async function runsByRebase(folder: string): Promise<boolean> {
  const [todo, strategy] = await Promise.all(
    ["git-rebase-todo", "strategy"].map((name) => readSmall(join(folder, name))),
  );
  return /^\s*(exec|x)\s/m.test(todo ?? "") || !STRATEGY.test(strategy ?? "");
}

/** True if a `.git` that is no folder names one where commands write: there it is looked at itself. */
async function leadsInto(path: string, { root, gitFolders = [] }: GuardedPlaces): Promise<boolean> {
  if ((await lookAt(path)) === undefined) return true;
  const folders = await foldersNamedBy(path);
  const isIn = (folder: string) => [root, ...gitFolders].some((place) => isInside(place, folder));
  return folders.length > 0 && folders.every(isIn);
}
