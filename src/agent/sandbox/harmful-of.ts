import { readdir, readlink } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { openPinnedFile } from "../documents/pinned-folder.ts";
import { isHarmlessGitConfig } from "../tools/harmless-git-config.ts";
import { isInside } from "../tools/project-paths.ts";
import type { GuardedThings } from "./find-guarded.ts";
import { isGone, lookAt } from "./find-guarded.ts";

const MAX_CONFIG_BYTES = 256 * 1024;
/** The machine had no more of something: that says nothing about the file. */
const SHORTAGES = ["EMFILE", "ENFILE", "ENOMEM", "EAGAIN", "EIO"];

/**
 * What of a new thing has to be moved for nothing to act upon it: itself, hooks in it, or nothing where
 * it is harmless. Throws where it could not be read for a reason that may pass.
 */
export async function harmfulOf(
  path: string,
  found: GuardedThings,
  root: string,
): Promise<readonly string[]> {
  if (found.links.includes(path)) return (await leadsInto(path, root)) ? [] : [path];
  if (!found.folders.includes(dirname(path))) return [path];
  const name = basename(path);
  if (name === "hooks") return liveHooks(path);
  if (name === "commondir") return (await readsAs(path, /^\.\.\/\.\.\n?$/)) ? [] : [path];
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

/** True if a `.git` that is no folder names one in the project, where it is looked at itself. */
async function leadsInto(path: string, root: string): Promise<boolean> {
  const info = await lookAt(path);
  if (info === undefined) return true;
  const named = info.isSymbolicLink()
    ? await readlink(path).catch(unlessShort)
    : /^gitdir: (.+?)\s*$/.exec((await readSmall(path)) ?? "")?.[1];
  if (named === undefined) return false;
  const target = isAbsolute(named) ? resolve(named) : resolve(dirname(path), named);
  return isInside(root, target);
}

/** Undefined for what is no regular file of a modest size, or is gone. */
async function readSmall(path: string): Promise<string | undefined> {
  const file = await openPinnedFile(path).catch(unlessShort);
  if (file === undefined) return undefined;
  try {
    const info = await file.stat();
    return info.isFile() && info.size <= MAX_CONFIG_BYTES ? await file.readFile("utf8") : undefined;
  } finally {
    await file.close();
  }
}

function unlessShort(error: NodeJS.ErrnoException): undefined {
  if (SHORTAGES.includes(error.code ?? "")) throw error;
}
