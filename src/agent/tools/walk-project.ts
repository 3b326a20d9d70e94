import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import ignore, { type Ignore } from "ignore";
import { readTextFile } from "../documents/read-text-file.ts";

/** No list of patterns is longer; what is not a regular file counts as none. */
const MAX_IGNORE_BYTES = 1024 * 1024;

export interface Walk {
  /** Absolute: where the `.gitignore` files begin to count. */
  readonly root: string;
  /** Absolute: the folder to walk, inside `root`. */
  readonly start: string;
  readonly signal: AbortSignal;
  /** Absolute: what is not looked into. */
  readonly leftOut?: readonly string[];
}

interface Rules {
  /** Relative to the root, with slashes, with one at the end; empty for the root. */
  readonly folder: string;
  readonly ignore: Ignore;
}

/**
 * Files below `start`, relative to `root` with slashes, in the order of their names. What
 * `.gitignore` files leave out is left out, `.git` too; symbolic links are not followed.
 */
export async function* walkProject(walk: Walk): AsyncGenerator<string> {
  const start = relative(walk.root, walk.start).split(sep).join("/");
  const above: Rules[] = [];
  const parts = start === "" ? [] : start.split("/");
  for (let depth = 0; depth < parts.length; depth += 1) {
    above.push(...(await rulesOf(walk.root, parts.slice(0, depth).join("/"))));
  }
  yield* walkFolder(walk, start, above);
}

async function* walkFolder(
  walk: Walk,
  folder: string,
  inherited: readonly Rules[],
): AsyncGenerator<string> {
  walk.signal.throwIfAborted();
  const rules = [...inherited, ...(await rulesOf(walk.root, folder))];
  for (const entry of await entriesOf(join(walk.root, folder))) {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (walk.leftOut?.includes(join(walk.root, path)) === true) continue;
    if (entry.isDirectory()) {
      if (entry.name !== ".git" && !isIgnored(`${path}/`, rules)) {
        yield* walkFolder(walk, path, rules);
      }
    } else if (entry.isFile() && !isIgnored(path, rules)) {
      yield path;
    }
  }
}

/** A folder that cannot be read has nothing to offer. */
async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function rulesOf(root: string, folder: string): Promise<readonly Rules[]> {
  const path = join(root, folder, ".gitignore");
  const file = await readTextFile(path, { maxBytes: MAX_IGNORE_BYTES });
  const text = file.kind === "text" ? file.text : "";
  if (text.trim() === "") return [];
  return [{ folder: folder === "" ? "" : `${folder}/`, ignore: ignore().add(text) }];
}

/** The deepest `.gitignore` with an opinion decides. */
function isIgnored(path: string, rules: readonly Rules[]): boolean {
  for (const { folder, ignore: matcher } of rules.toReversed()) {
    const { ignored, unignored } = matcher.test(path.slice(folder.length));
    if (ignored) return true;
    if (unignored) return false;
  }
  return false;
}
