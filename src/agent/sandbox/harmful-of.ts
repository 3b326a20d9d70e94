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

/** Files of a repository that name programs for git or further config. */
export const WATCHED = ["config", "config.worktree", "commondir", "hooks", "rebase-merge"];

/** Parts of a new path that must be moved so that nothing runs them. Throws if unreadable. */
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

/** Hooks that git would run; a path that is not a folder is moved whole. */
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

/** Merge strategies of git; any other name is a program. */
const STRATEGY = /^(|ort|recursive|resolve|octopus|ours|subtree)\s*$/;

/** True if `git rebase --continue` would run a command that the rebase state names. */
export async function runsByRebase(folder: string): Promise<boolean> {
  const [todo, strategy] = await Promise.all(
    ["git-rebase-todo", "strategy"].map((name) => readSmall(join(folder, name))),
  );
  return /^\s*(exec|x)\s/m.test(todo ?? "") || !STRATEGY.test(strategy ?? "");
}

/** True if it names a folder that commands write to and that is checked itself. */
async function leadsInto(path: string, { root, gitFolders = [] }: GuardedPlaces): Promise<boolean> {
  if ((await lookAt(path)) === undefined) return true;
  const folders = await foldersNamedBy(path);
  const isIn = (folder: string) => [root, ...gitFolders].some((place) => isInside(place, folder));
  return folders.length > 0 && folders.every(isIn);
}
