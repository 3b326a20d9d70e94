import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isInside } from "../../shared/is-inside.ts";
import { isHarmlessGitConfig } from "../tools/harmless-git-config.ts";
import {
  foldersNamedBy,
  type GuardedLocations,
  type GuardedPaths,
  inspectPath,
  isMissing,
  readSmall,
} from "./find-guarded.ts";

/** Files of a repository that name programs for git or further config. */
export const WATCHED_NAMES = ["config", "config.worktree", "commondir", "hooks", "rebase-merge"];

/** Parts of a new path that must be moved so that nothing runs them. Throws if unreadable. */
export async function findHarmful(
  path: string,
  found: GuardedPaths,
  locations: GuardedLocations,
): Promise<readonly string[]> {
  if (found.links.includes(path)) return (await leadsInto(path, locations)) ? [] : [path];
  if (!found.folders.includes(dirname(path))) return [path];
  const name = basename(path);
  if (name === "hooks") return liveHooks(path);
  if (name === "commondir") return (await matchesConfig(path, /^\.\.\/\.\.\n?$/)) ? [] : [path];
  if (name === "rebase-merge") return (await runsByRebase(path)) ? [path] : [];
  return (await isHarmlessConfig(path)) ? [] : [path];
}

/** Hooks that git would run; a path that is not a folder is moved whole. */
async function liveHooks(path: string): Promise<readonly string[]> {
  const info = await inspectPath(path);
  if (info === undefined) return [];
  if (!info.isDirectory()) return [path];
  const names = await readdir(path).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  return names.filter((name) => !name.endsWith(".sample")).map((name) => join(path, name));
}

async function isHarmlessConfig(path: string): Promise<boolean> {
  const text = await readSmall(path);
  return text !== undefined && isHarmlessGitConfig(text);
}

async function matchesConfig(path: string, expected: RegExp): Promise<boolean> {
  const text = await readSmall(path);
  return text !== undefined && expected.test(text);
}

/** Merge strategies of git; any other name is a program. */
const MERGE_STRATEGY = /^(|ort|recursive|resolve|octopus|ours|subtree)\s*$/;

/** True if `git rebase --continue` would run a command that the rebase state names. */
export async function runsByRebase(folder: string): Promise<boolean> {
  const [todo, strategy] = await Promise.all(
    ["git-rebase-todo", "strategy"].map((name) => readSmall(join(folder, name))),
  );
  return /^\s*(exec|x)\s/m.test(todo ?? "") || !MERGE_STRATEGY.test(strategy ?? "");
}

/** True if it names a folder that commands write to and that is checked itself. */
async function leadsInto(
  path: string,
  { root, gitFolders = [] }: GuardedLocations,
): Promise<boolean> {
  if ((await inspectPath(path)) === undefined) return true;
  const folders = await foldersNamedBy(path);
  const isIn = (folder: string) =>
    [root, ...gitFolders].some((container) => isInside(container, folder));
  return folders.length > 0 && folders.every(isIn);
}
