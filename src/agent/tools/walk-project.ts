import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import ignore, { type Ignore } from "ignore";
import { CairnError } from "../../shared/errors.ts";
import { pinFolder } from "../documents/pinned-folder.ts";
import { readTextFile } from "../documents/read-text-file.ts";

const MAX_IGNORE_BYTES = 1024 * 1024;

export interface Walk {
  /** Absolute; `.gitignore` files apply from here. */
  readonly root: string;
  readonly start: string;
  readonly signal: AbortSignal;
  /** Absolute paths that are skipped. */
  readonly leftOut?: readonly string[];
}

interface Rules {
  /** Relative to the root, with a trailing slash; empty for the root. */
  readonly folder: string;
  readonly ignore: Ignore;
}

/**
 * Yields the files below `start`, relative to `root` with slashes, sorted by name. Skips `.git` and
 * what `.gitignore` files exclude. Symbolic links are not followed, nor is a folder that is replaced
 * by one during the walk. Throws forbidden if `start` itself was replaced.
 */
export async function* walkProject(walk: Walk): AsyncGenerator<string> {
  const start = relative(walk.root, walk.start).split(sep).join("/");
  const above: Rules[] = [];
  const parts = start === "" ? [] : start.split("/");
  for (let depth = 0; depth < parts.length; depth += 1) {
    above.push(...(await readFolder(walk.root, parts.slice(0, depth).join("/"))).rules);
  }
  yield* walkFolder(walk, { folder: start, content: await readFolder(walk.root, start) }, above);
}

interface Content {
  readonly entries: readonly Dirent[];
  readonly rules: readonly Rules[];
}

async function* walkFolder(
  walk: Walk,
  { folder, content }: { readonly folder: string; readonly content: Content },
  inherited: readonly Rules[],
): AsyncGenerator<string> {
  walk.signal.throwIfAborted();
  const rules = [...inherited, ...content.rules];
  for (const entry of content.entries) {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (walk.leftOut?.includes(join(walk.root, path)) === true) continue;
    if (entry.isDirectory()) {
      if (entry.name === ".git" || isIgnored(`${path}/`, rules)) continue;
      const below = await readFolder(walk.root, path).catch((error: unknown) => {
        if (error instanceof CairnError) return { entries: [], rules: [] };
        throw error;
      });
      yield* walkFolder(walk, { folder: path, content: below }, rules);
    } else if (entry.isFile() && !isIgnored(path, rules)) {
      yield path;
    }
  }
}

const UNREADABLE_CODES = ["EACCES", "EPERM", "ENOENT", "ENOTDIR"];

/** An unreadable folder counts as empty. Throws forbidden if the folder was replaced. */
async function readFolder(root: string, folder: string): Promise<Content> {
  try {
    const pinned = await pinFolder(folder === "" ? root : join(root, folder));
    try {
      const entries = await readdir(pinned.at("."), { withFileTypes: true });
      entries.sort((a, b) => (a.name < b.name ? -1 : 1));
      const file = await readTextFile(pinned.at(".gitignore"), { maxBytes: MAX_IGNORE_BYTES });
      const text = file.kind === "text" ? file.text : "";
      if (text.trim() === "") return { entries, rules: [] };
      const prefix = folder === "" ? "" : `${folder}/`;
      return { entries, rules: [{ folder: prefix, ignore: ignore().add(text) }] };
    } finally {
      await pinned.close();
    }
  } catch (error) {
    if (UNREADABLE_CODES.includes((error as NodeJS.ErrnoException).code ?? "")) {
      return { entries: [], rules: [] };
    }
    throw error;
  }
}

/** The deepest `.gitignore` that matches decides. */
function isIgnored(path: string, rules: readonly Rules[]): boolean {
  for (const { folder, ignore: matcher } of rules.toReversed()) {
    const { ignored, unignored } = matcher.test(path.slice(folder.length));
    if (ignored) return true;
    if (unignored) return false;
  }
  return false;
}
