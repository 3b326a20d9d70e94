import { type Dirent, lstatSync, readdirSync, readFileSync, type Stats } from "node:fs";
import { join } from "node:path";
import ignore, { type Ignore } from "ignore";
import { yieldToEventLoop } from "../../kernel/abort.ts";
import type { BlobStore } from "./blob-store.ts";
import { type FileCopy, MAX_FILE_BYTES } from "./file-copy.ts";

/** What a snapshot of a project may cost. */
export interface TreeBudget {
  /** A project of more is not looked through. */
  readonly files: number;
  /** Copied in all; files beyond are known by size and time only. */
  readonly bytes: number;
}

/** Folders that are made again from others, whether or not an ignore file says so. */
const NEVER = new Set([".git", ".cairn", "node_modules", ".venv", "__pycache__"]);
/** Files looked at before others get their turn. */
const SLICE = 400;

export interface TreeState {
  /** By path from the root, with slashes. */
  readonly files: ReadonlyMap<string, KnownFile>;
  readonly folders: ReadonlySet<string>;
}

interface KnownFile {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly ino: number;
  readonly copy: FileCopy;
}

interface KnownFolder {
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  /** Of the ignore files that count in it. */
  readonly rulesKey: string;
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

interface Rules {
  readonly key: string;
  readonly matchers: readonly { readonly folder: string; readonly matcher: Ignore }[];
}

/**
 * The files of a project but for the ignored ones. What did not change since the last look, by size,
 * times and inode, is not read again, and a folder whose own time is the same is not listed again.
 */
export class WorkTree {
  readonly #root: string;
  readonly #store: BlobStore;
  readonly #budget: TreeBudget;
  #folders = new Map<string, KnownFolder>();
  #files: ReadonlyMap<string, KnownFile> = new Map();

  constructor(root: string, store: BlobStore, budget: TreeBudget) {
    this.#root = root;
    this.#store = store;
    this.#budget = budget;
  }

  /** True once a look has been had, from when on another one is cheap. */
  get isKnown(): boolean {
    return this.#files.size > 0;
  }

  /** Undefined when there are more files than the budget allows. */
  async look(): Promise<TreeState | undefined> {
    const walk = new Walk(this.#budget);
    await this.#visit("", { key: "", matchers: [] }, walk);
    if (walk.isOver) return undefined;
    this.#folders = walk.folders;
    this.#files = walk.files;
    return { files: walk.files, folders: new Set(walk.folders.keys()) };
  }

  async #visit(folder: string, above: Rules, walk: Walk): Promise<void> {
    const info = lstatSync(join(this.#root, folder), { throwIfNoEntry: false });
    if (info === undefined || walk.isOver) return;
    const rules = this.#rulesOf(folder, above);
    const known = this.#folders.get(folder);
    const isSame =
      known !== undefined &&
      known.mtimeMs === info.mtimeMs &&
      known.ctimeMs === info.ctimeMs &&
      known.rulesKey === rules.key;
    const listed = isSame ? known : this.#list(folder, { info, rules });
    walk.folders.set(folder, listed);
    for (const path of listed.files) {
      this.#add(path, walk);
      if (walk.isOver) return;
      walk.looked += 1;
      if (walk.looked % SLICE === 0) await yieldToEventLoop();
    }
    for (const path of listed.folders) await this.#visit(path, rules, walk);
  }

  #list(
    folder: string,
    { info, rules }: { readonly info: Stats; readonly rules: Rules },
  ): KnownFolder {
    const entries = entriesOf(join(this.#root, folder)).filter(({ name }) => !NEVER.has(name));
    const pathOf = ({ name }: Dirent) => (folder === "" ? name : `${folder}/${name}`);
    const files = entries.filter((entry) => entry.isFile()).map(pathOf);
    const folders = entries.filter((entry) => entry.isDirectory()).map(pathOf);
    return {
      mtimeMs: info.mtimeMs,
      ctimeMs: info.ctimeMs,
      rulesKey: rules.key,
      files: files.filter((path) => !isIgnored(path, rules)),
      folders: folders.filter((path) => !isIgnored(`${path}/`, rules)),
    };
  }

  #add(path: string, walk: Walk): void {
    const absolute = join(this.#root, path);
    const info = lstatSync(absolute, { throwIfNoEntry: false });
    if (info === undefined || !info.isFile()) return;
    const { size, mtimeMs, ctimeMs, ino } = info;
    const known = this.#files.get(path);
    const isSame =
      known !== undefined &&
      known.size === size &&
      known.mtimeMs === mtimeMs &&
      known.ctimeMs === ctimeMs &&
      known.ino === ino;
    const copy = isSame ? known.copy : this.#copy(absolute, info, walk);
    if ("hash" in copy) walk.bytes += size;
    walk.files.set(path, isSame ? known : { size, mtimeMs, ctimeMs, ino, copy });
  }

  #copy(absolute: string, { size, mtimeMs, mode }: Stats, walk: Walk): FileCopy {
    const tooLarge = { size, mtimeMs };
    if (size > MAX_FILE_BYTES || walk.bytes + size > this.#budget.bytes) return tooLarge;
    try {
      return { hash: this.#store.put(readFileSync(absolute)), mode: mode & 0o777 };
    } catch {
      // Not ours to read, or gone in this moment.
      return tooLarge;
    }
  }

  #rulesOf(folder: string, above: Rules): Rules {
    const path = join(this.#root, folder, ".gitignore");
    const info = lstatSync(path, { throwIfNoEntry: false });
    if (info?.isFile() !== true || info.size > MAX_FILE_BYTES) return above;
    const key = `${above.key}|${folder} ${info.size} ${info.mtimeMs} ${info.ino}`;
    const matcher = ignore().add(readFileSync(path, "utf8"));
    const own = { folder: folder === "" ? "" : `${folder}/`, matcher };
    return { key, matchers: [own, ...above.matchers] };
  }
}

class Walk {
  readonly files = new Map<string, KnownFile>();
  readonly folders = new Map<string, KnownFolder>();
  bytes = 0;
  looked = 0;
  readonly #budget: TreeBudget;

  constructor(budget: TreeBudget) {
    this.#budget = budget;
  }

  get isOver(): boolean {
    return this.files.size > this.#budget.files;
  }
}

/** The deepest ignore file with an opinion decides. */
function isIgnored(path: string, { matchers }: Rules): boolean {
  for (const { folder, matcher } of matchers) {
    const { ignored, unignored } = matcher.test(path.slice(folder.length));
    if (ignored) return true;
    if (unignored) return false;
  }
  return false;
}

/** A folder that may not be read, or is gone in this moment, has nothing to offer. */
function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
