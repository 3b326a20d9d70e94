import { isUtf8 } from "node:buffer";
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

/** Names in a folder that are not UTF-8, read as Latin-1, which any bytes are. */
export function undecodedNames(folder: string): readonly string[] {
  return undecodedIn(folder).map((name) => name.toString("latin1"));
}

function signOf(folder: string, looks: number): string | undefined {
  const sum = createHash("sha256");
  const waiting = [folder];
  let left = looks;
  const isFolder = lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
  if (!isFolder) return signOfUndecoded(folder);
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
  const name = undecodedIn(folder).find((one) => one.toString("latin1") === basename(path));
  if (name === undefined) return undefined;
  const entry = Buffer.concat([Buffer.from(`${folder}/`), name]);
  const info = lstatSync(entry, { throwIfNoEntry: false });
  return info === undefined ? undefined : `${info.size} ${info.mtimeMs} ${info.ino} ${info.mode}`;
}

function undecodedIn(folder: string): readonly Buffer[] {
  try {
    const names = readdirSync(folder, { encoding: "buffer" });
    return names.filter((name) => !isUtf8(name));
  } catch {
    // Unreadable or removed.
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
