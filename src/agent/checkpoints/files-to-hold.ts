import { lstatSync, readdirSync, type Stats } from "node:fs";
import { join } from "node:path";
import { MAX_FILE_BYTES } from "./file-copy.ts";

const MAX_FILES = 2_000;
const MAX_BYTES = 64 * 1024 * 1024;

/** Everything at and below these paths, folders first. Undefined if undo cannot restore it. */
export function filesToHold(paths: readonly string[]): readonly string[] | undefined {
  const found: string[] = [];
  const waiting = [...paths];
  let bytes = 0;
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const info = statusOf(path);
    if (info === undefined || found.length === MAX_FILES) return undefined;
    found.push(path);
    if (info.isDirectory()) {
      const names = namesIn(path);
      if (names === undefined || names.includes(".git")) return undefined;
      waiting.push(...names.map((name) => join(path, name)));
      continue;
    }
    bytes += info.size;
    if (!(info.isFile() || info.isSymbolicLink())) return undefined;
    if (info.size > MAX_FILE_BYTES || bytes > MAX_BYTES) return undefined;
  }
  return found;
}

function statusOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function namesIn(folder: string): readonly string[] | undefined {
  try {
    return readdirSync(folder);
  } catch {
    return undefined;
  }
}
