import { mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { z } from "zod";
import type { KnownFile, KnownFolder, TreeState } from "./tree-state.ts";

/** Path, size, times, inode, and of what is kept the hash and the rights. */
const file = z.tuple([
  z.string(),
  z.number(),
  z.number(),
  z.number(),
  z.number(),
  z.string().nullable(),
  z.number(),
]);
/** Path, times, inode, key of the ignore rules, folders, files. */
const folder = z.tuple([
  z.string(),
  z.number(),
  z.number(),
  z.number(),
  z.string(),
  z.array(z.string()),
  z.array(file),
]);
const index = z.object({ version: z.literal(1), folders: z.array(folder) });

/** What the last process knew of a project's files; undefined when nobody does. */
export function readTreeIndex(path: string): TreeState | undefined {
  try {
    const { folders } = index.parse(JSON.parse(readFileSync(path, "utf8")));
    return { folders: new Map(folders.map((one) => [one[0], folderOf(one)])) };
  } catch {
    // None yet, or of another version: all files are looked at and copied once more.
    return undefined;
  }
}

export function writeTreeIndex(path: string, state: TreeState): void {
  const folders = [...state.folders].map(([name, one]): z.output<typeof folder> => {
    const settled = [...one.files].filter(([, { isSettled }]) => isSettled);
    const { mtimeMs, ctimeMs, ino, rulesKey } = one;
    // A folder with files that are left out is listed again.
    const time = settled.length === one.files.size ? mtimeMs : 0;
    return [name, time, ctimeMs, ino, rulesKey, [...one.folders], settled.map(rowOf)];
  });
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileAtomic.sync(path, JSON.stringify({ version: 1, folders }), {
    mode: 0o600,
    fsync: false,
  });
}

function rowOf([path, known]: readonly [string, KnownFile]): z.output<typeof file> {
  const { size, mtimeMs, ctimeMs, ino, copy } = known;
  const [hash, mode] = "hash" in copy ? [copy.hash, copy.mode] : [null, 0];
  return [path, size, mtimeMs, ctimeMs, ino, hash, mode];
}

function folderOf(row: z.output<typeof folder>): KnownFolder {
  const [, mtimeMs, ctimeMs, ino, rulesKey, folders, files] = row;
  return { mtimeMs, ctimeMs, ino, rulesKey, folders, files: new Map(files.map(fileOf)) };
}

function fileOf(row: z.output<typeof file>): [string, KnownFile] {
  const [path, size, mtimeMs, ctimeMs, ino, hash, mode] = row;
  const copy = hash === null ? { size, mtimeMs } : { hash, mode };
  return [path, { size, mtimeMs, ctimeMs, ino, isSettled: true, copy }];
}
