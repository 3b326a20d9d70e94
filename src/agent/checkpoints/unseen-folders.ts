import { createHash } from "node:crypto";
import { lstatSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** Limit for all folders together. */
const MAX_LOOKS = 2_000;

export function signsOf(root: string, folders: readonly string[]): ReadonlyMap<string, string> {
  const signs = new Map<string, string>();
  const each = Math.max(1, Math.floor(MAX_LOOKS / Math.max(1, folders.length)));
  for (const folder of folders) {
    const sign = signOf(join(root, folder), each);
    if (sign !== undefined) signs.set(folder, sign);
  }
  return signs;
}

/** True if a name may contain bytes that are not UTF-8, which Node.js reads as U+FFFD. */
export function mayBeUndecoded(name: string): boolean {
  return name.includes("\uFFFD");
}

function signOf(folder: string, looks: number): string | undefined {
  if (mayBeUndecoded(basename(folder))) return signOfUndecoded(folder);
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return undefined;
  const sum = createHash("sha256");
  const waiting = [folder];
  let left = looks;
  for (let path = waiting.shift(); path !== undefined && left > 0; path = waiting.shift()) {
    const info = lstatSync(path, { throwIfNoEntry: false });
    if (info === undefined) continue;
    left -= 1;
    const isFolder = info.isDirectory();
    sum.update(`${path} ${isFolder ? "" : info.size} ${info.mtimeMs} ${info.ino} ${info.mode}\n`);
    if (isFolder) waiting.push(...namesIn(path).map((name) => join(path, name)));
  }
  return sum.digest("hex").slice(0, 32);
}

function signOfUndecoded(path: string): string | undefined {
  const folder = dirname(path);
  const entries = bytesIn(folder).filter((name) => name.toString() === basename(path));
  if (entries.length === 0) return undefined;
  const sum = createHash("sha256");
  for (const name of entries) {
    const entry = Buffer.concat([Buffer.from(`${folder}/`), name]);
    const info = lstatSync(entry, { throwIfNoEntry: false });
    if (info === undefined) continue;
    sum.update(name).update(` ${info.size} ${info.mtimeMs} ${info.ino} ${info.mode}\n`);
  }
  return sum.digest("hex").slice(0, 32);
}

function bytesIn(folder: string): readonly Buffer[] {
  try {
    return readdirSync(folder, { encoding: "buffer" });
  } catch {
    return [];
  }
}

/** Unreadable or removed. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
