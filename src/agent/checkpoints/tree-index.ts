import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { z } from "zod";
import { randomIds } from "../../shared/ids.ts";
import type { KnownFile, KnownFolder, TreeState } from "./file-copy.ts";
import { fileCopy } from "./file-copy.ts";

/** Path, size, times, inode, content. */
const file = z.tuple([z.string(), z.number(), z.number(), z.number(), z.number(), fileCopy]);
/** Path, times, inode, mode, key of the ignore rules, folders, skipped folders, files. */
const folder = z.tuple([
  z.string(),
  z.number(),
  z.number(),
  z.number(),
  z.number(),
  z.string(),
  z.array(z.string()),
  z.array(z.string()),
  z.array(file),
]);
const index = z.object({
  version: z.literal(2),
  folders: z.array(folder),
  unseen: z.array(z.tuple([z.string(), z.string()])),
});

export function readTreeIndex(path: string): TreeState | undefined {
  try {
    return parseTree(readFileSync(path, "utf8"));
  } catch {
    // Missing or of another version: all files are read again.
    return undefined;
  }
}

function parseTree(text: string): TreeState {
  const { folders, unseen } = index.parse(JSON.parse(text));
  return {
    folders: new Map(folders.map((one) => [one[0], toFolder(one)])),
    unseen: new Map(unseen),
  };
}

/** Omits files that could have changed within the same tick of the clock. */
export function writeTreeIndex(path: string, state: TreeState): void {
  write(path, state, ({ isSettled }) => isSettled);
}

function writeTree(path: string, state: TreeState): void {
  write(path, state, () => true);
}

function write(path: string, state: TreeState, isKept: (file: KnownFile) => boolean): void {
  const folders = [...state.folders].map(([name, one]): z.output<typeof folder> => {
    const retained = [...one.files].filter(([, known]) => isKept(known));
    const { mtimeMs, ctimeMs, ino, mode, rulesKey, unseen } = one;
    // A folder with omitted files is listed again.
    const time = retained.length === one.files.size ? mtimeMs : 0;
    const below = [...one.folders];
    return [name, time, ctimeMs, ino, mode, rulesKey, below, [...unseen], retained.map(toRow)];
  });
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const text = JSON.stringify({ version: 2, folders, unseen: [...state.unseen] });
  writeFileAtomic.sync(path, text, { mode: 0o600, fsync: false });
}

function toRow([path, known]: readonly [string, KnownFile]): z.output<typeof file> {
  const { size, mtimeMs, ctimeMs, ino, copy } = known;
  return [path, size, mtimeMs, ctimeMs, ino, copy];
}

function toFolder(row: z.output<typeof folder>): KnownFolder {
  const [, mtimeMs, ctimeMs, ino, mode, rulesKey, folders, unseen, files] = row;
  return {
    mtimeMs,
    ctimeMs,
    ino,
    mode,
    rulesKey,
    folders,
    unseen,
    files: new Map(files.map(toFile)),
  };
}

function toFile(row: z.output<typeof file>): [string, KnownFile] {
  const [path, size, mtimeMs, ctimeMs, ino, copy] = row;
  return [path, { size, mtimeMs, ctimeMs, ino, isSettled: true, copy }];
}

export class TreeCache {
  readonly #folder: string;
  #last: { readonly name: string; readonly state: TreeState } | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Returns the name for `read`. */
  store(state: TreeState): string {
    if (this.#last !== undefined && isSame(this.#last.state, state)) return this.#last.name;
    const name = randomIds.next("tree_");
    writeTree(this.#pathOf(name), state);
    this.#last = { name, state };
    return name;
  }

  read(name: string): TreeState | undefined {
    try {
      return parseTree(readFileSync(this.#pathOf(name), "utf8"));
    } catch {
      return undefined;
    }
  }

  /** Removes all others; returns those, or undefined if one cannot be read. */
  keepOnly(names: ReadonlySet<string>): readonly TreeState[] | undefined {
    if (!existsSync(this.#folder)) return [];
    this.#last = undefined;
    for (const file of readdirSync(this.#folder)) {
      if (!names.has(file.replace(/\.json$/, "")))
        rmSync(join(this.#folder, file), { force: true });
    }
    const states = [...names].map((name) => this.read(name));
    return states.every((state) => state !== undefined) ? states : undefined;
  }

  #pathOf(name: string): string {
    return join(this.#folder, `${name}.json`);
  }
}

function isSame(one: TreeState, other: TreeState): boolean {
  return (
    one.folders.size === other.folders.size &&
    one.unseen.size === other.unseen.size &&
    [...one.folders].every(([path, folder]) => other.folders.get(path) === folder) &&
    [...one.unseen].every(([path, sign]) => other.unseen.get(path) === sign)
  );
}
