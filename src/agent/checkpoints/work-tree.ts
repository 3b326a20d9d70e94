import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import {
  type Dirent,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  type Stats,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Ignore } from "ignore";
import ignore from "ignore";
import { yieldToEventLoop } from "../../shared/async.ts";
import type { BlobStore } from "./blob-store.ts";
import {
  contentCopy,
  type FileCopy,
  type KnownFile,
  type KnownFolder,
  MAX_FILE_BYTES,
  readPlainFile,
  type TreeState,
} from "./file-copy.ts";
import { isGitInternal, isOfGit } from "./git-state.ts";
import { readTreeIndex, writeTreeIndex } from "./tree-index.ts";

/** Limit for all folders together. */
const MAX_LOOKS = 2_000;

function readSigns(root: string, folders: readonly string[]): ReadonlyMap<string, string> {
  const signs = new Map<string, string>();
  const each = Math.max(1, Math.floor(MAX_LOOKS / Math.max(1, folders.length)));
  for (const folder of folders) {
    const sign = readSign(join(root, folder), each);
    if (sign !== undefined) signs.set(folder, sign);
  }
  return signs;
}

/** Names in a folder that are not UTF-8, read as Latin-1, which any bytes are. */
function undecodedNames(folder: string): readonly string[] {
  return findUndecoded(folder).map((name) => name.toString("latin1"));
}

function readSign(folder: string, looks: number): string | undefined {
  const sum = createHash("sha256");
  const waiting = [folder];
  let left = looks;
  const isFolder = lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
  if (!isFolder) return readUndecodedSign(folder);
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

function readUndecodedSign(path: string): string | undefined {
  const folder = dirname(path);
  const name = findUndecoded(folder).find((one) => one.toString("latin1") === basename(path));
  if (name === undefined) return undefined;
  const entry = Buffer.concat([Buffer.from(`${folder}/`), name]);
  const info = lstatSync(entry, { throwIfNoEntry: false });
  return info === undefined ? undefined : `${info.size} ${info.mtimeMs} ${info.ino} ${info.mode}`;
}

function findUndecoded(folder: string): readonly Buffer[] {
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

interface IgnoreRules {
  readonly key: string;
  readonly matchers: readonly { readonly folder: string; readonly matcher: Ignore }[];
}

const NO_RULES: IgnoreRules = { key: "", matchers: [] };

function rulesIn(root: string, folder: string, above: IgnoreRules): IgnoreRules {
  const path = join(root, folder, ".gitignore");
  const info = lstatSync(path, { throwIfNoEntry: false });
  if (info?.isFile() !== true || info.size > MAX_FILE_BYTES) return above;
  const key = `${above.key}|${folder} ${info.size} ${info.mtimeMs} ${info.ino}`;
  const matcher = ignore().add(readFileSync(path, "utf8"));
  const own = { folder: folder === "" ? "" : `${folder}/`, matcher };
  return { key, matchers: [own, ...above.matchers] };
}

/** The deepest ignore file that matches decides; a folder's path ends in a slash. */
function isIgnored(path: string, { matchers }: IgnoreRules): boolean {
  for (const { folder, matcher } of matchers) {
    const { ignored, unignored } = matcher.test(path.slice(folder.length));
    if (ignored) return true;
    if (unignored) return false;
  }
  return false;
}

export interface TreeBudget {
  /** Larger projects are not scanned. */
  readonly files: number;
  /** Total size of copies; of further files only size and time are recorded. */
  readonly bytes: number;
}

export interface WorkTreeOptions {
  readonly root: string;
  readonly store: BlobStore;
  readonly budget: TreeBudget;
  readonly indexFile: string;
}

/** Folders that are rebuilt from other files. */
const SKIPPED_NAMES = new Set(["node_modules", ".venv", "__pycache__"]);
const OWN_FOLDER = ".cairn";
/** Ignored settings and keys are small; ignored output is not. */
const MAX_IGNORED_BYTES = 1024 * 1024;
const FILES_PER_SLICE = 400;
/** Two changes within this time may have equal times. */
const SETTLE_MS = 50;

/**
 * Scans the files, links, folders and git state of a project; of ignored folders only a summary.
 * Files are read again if size, times or inode changed: system notifications miss writes by memory
 * map or hard link. The state is stored for the next process.
 */
export class WorkTree {
  readonly #options: WorkTreeOptions;
  #state: TreeState | undefined;
  #rules: ReadonlyMap<string, RulesOfFolder> = new Map();
  #isSaved = false;

  constructor(options: WorkTreeOptions) {
    this.#options = options;
  }

  get isKnown(): boolean {
    return this.#state !== undefined;
  }

  hashes(): readonly string[] {
    return hashFiles(this.#state ?? readTreeIndex(this.#options.indexFile));
  }

  /** Undefined if there are more files than the budget allows. */
  async look(): Promise<TreeState | undefined> {
    const { budget, indexFile } = this.#options;
    const isFirst = this.#state === undefined;
    const known = this.#state ?? readTreeIndex(indexFile) ?? EMPTY_TREE;
    const walk = new Walk(known, budget);
    await this.#visit("", NO_RULES, walk);
    if (walk.isOver) return undefined;
    this.#isSaved &&= !walk.hasChanged && walk.folders.size === known.folders.size;
    this.#rules = walk.rules;
    const unseen = [...walk.folders.values()].flatMap((folder) => folder.unseen);
    this.#state = { folders: walk.folders, unseen: readSigns(this.#options.root, unseen) };
    if (isFirst) this.#save();
    return this.#state;
  }

  close(): void {
    this.#save();
  }

  #save(): void {
    if (this.#isSaved || this.#state === undefined) return;
    writeTreeIndex(this.#options.indexFile, this.#state);
    this.#isSaved = true;
  }

  async #visit(folder: string, above: IgnoreRules, walk: Walk): Promise<void> {
    const path = join(this.#options.root, folder);
    const info = lstatSync(path, { throwIfNoEntry: false });
    if (info?.isDirectory() !== true || walk.isOver) return;
    const rules = this.#rulesIn(folder, above);
    walk.rules.set(folder, { above, rules });
    await this.#lookInto(folder, { info, rules }, walk);
    if (walk.takesBreath()) await yieldToEventLoop();
    for (const below of walk.folders.get(folder)?.folders ?? []) {
      await this.#visit(below, rules, walk);
    }
  }

  async #lookInto(
    folder: string,
    { info, rules }: { readonly info: Stats; readonly rules: IgnoreRules },
    walk: Walk,
  ): Promise<void> {
    const known = walk.known.folders.get(folder);
    const isSame = isSameFolder(known, info) && known.rulesKey === rules.key;
    const {
      files: paths,
      folders,
      unseen,
    } = isSame
      ? { files: known.files.keys(), folders: known.folders, unseen: known.unseen }
      : this.#list(folder, rules);
    const files = new Map<string, KnownFile>();
    for (const path of paths) {
      const file = this.#lookAt(path, { known: known?.files.get(path), walk, rules });
      if (file !== undefined) files.set(path, file);
      if (walk.takesBreath()) await yieldToEventLoop();
      if (walk.isOver) return;
    }
    const { mtimeMs, ctimeMs, ino } = info;
    const mode = info.mode & 0o7777;
    const now = { mtimeMs, ctimeMs, ino, mode, rulesKey: rules.key, files, folders, unseen };
    walk.add(folder, isSame && isSameMap(known.files, files) ? known : now);
  }

  #list(folder: string, rules: IgnoreRules) {
    const isInGit = isOfGit(folder);
    const pathOf = ({ name }: Pick<Dirent, "name">) => (folder === "" ? name : `${folder}/${name}`);
    const absolute = join(this.#options.root, folder);
    const entries = readEntries(absolute).filter(
      (entry) => !isInGit || isGitInternal(pathOf(entry), entry.isDirectory()),
    );
    // Node.js reads bytes that are not UTF-8 as U+FFFD: nothing is found by that name.
    const mayBeUndecoded = entries.some(({ name }) => name.includes("\uFFFD"));
    const undecoded = mayBeUndecoded && !isInGit ? undecodedNames(absolute) : [];
    const files = entries.filter((entry) => !entry.isDirectory()).map(pathOf);
    const folders = entries
      .filter((entry) => entry.isDirectory() && !(folder === "" && entry.name === OWN_FOLDER))
      .map((entry) => ({ entry, path: pathOf(entry) }));
    const isUnseen = ({ entry: { name }, path }: (typeof folders)[number]) =>
      !isOfGit(path) &&
      (SKIPPED_NAMES.has(name) || name === ".git" || isIgnored(`${path}/`, rules));
    return {
      files,
      folders: folders.filter((below) => !isUnseen(below)).map(({ path }) => path),
      unseen: [
        ...folders.filter(isUnseen).map(({ path }) => path),
        ...undecoded.map((name) => pathOf({ name })),
      ],
    };
  }

  #lookAt(
    path: string,
    {
      known,
      walk,
      rules,
    }: {
      readonly known: KnownFile | undefined;
      readonly walk: Walk;
      readonly rules: IgnoreRules;
    },
  ): KnownFile | undefined {
    const absolute = `${this.#options.root}/${path}`;
    const info = lstatSync(absolute, { throwIfNoEntry: false });
    if (info === undefined || info.isDirectory()) return undefined;
    if (known !== undefined && isSameFile(known, info)) return known;
    const { size, mtimeMs, ctimeMs, ino } = info;
    const isSettled = Date.now() - Math.max(mtimeMs, ctimeMs) > SETTLE_MS;
    const copy =
      size > MAX_IGNORED_BYTES && isIgnored(path, rules)
        ? { size, mtimeMs }
        : this.#copy(absolute, info, walk);
    return { size, mtimeMs, ctimeMs, ino, isSettled, copy };
  }

  #copy(absolute: string, info: Stats, walk: Walk): FileCopy {
    const { size, mtimeMs, mode } = info;
    const tooLarge = { size, mtimeMs };
    const { store, budget } = this.#options;
    if (info.isSymbolicLink()) return linkAt(absolute) ?? tooLarge;
    if (!info.isFile() || size > MAX_FILE_BYTES || walk.bytes + size > budget.bytes)
      return tooLarge;
    try {
      const hash = (content: Buffer) => store.put(content);
      return contentCopy(absolute, readPlainFile(absolute), { hash, mode: mode & 0o7777 });
    } catch {
      // Unreadable or removed.
      return tooLarge;
    }
  }

  #rulesIn(folder: string, above: IgnoreRules): IgnoreRules {
    const before = this.#rules.get(folder);
    const isOfSame = before?.above === above;
    const rules = rulesIn(this.#options.root, folder, above);
    return isOfSame && before.rules.key === rules.key ? before.rules : rules;
  }
}

const EMPTY_TREE: TreeState = { folders: new Map(), unseen: new Map() };

function linkAt(path: string): FileCopy | undefined {
  try {
    return { link: readlinkSync(path) };
  } catch {
    return undefined;
  }
}

interface RulesOfFolder {
  readonly above: IgnoreRules;
  readonly rules: IgnoreRules;
}

class Walk {
  readonly known: TreeState;
  readonly folders = new Map<string, KnownFolder>();
  readonly rules = new Map<string, RulesOfFolder>();
  bytes = 0;
  hasChanged = false;
  readonly #budget: TreeBudget;
  #files = 0;
  #steps = 0;

  constructor(known: TreeState, budget: TreeBudget) {
    this.known = known;
    this.#budget = budget;
  }

  get isOver(): boolean {
    return this.#files > this.#budget.files;
  }

  add(path: string, folder: KnownFolder): void {
    this.folders.set(path, folder);
    this.hasChanged ||= this.known.folders.get(path) !== folder;
    this.#files += folder.files.size;
    for (const { size, copy } of folder.files.values()) if ("hash" in copy) this.bytes += size;
  }

  takesBreath(): boolean {
    this.#steps += 1;
    return this.#steps % FILES_PER_SLICE === 0;
  }
}

function isSameFolder(known: KnownFolder | undefined, info: Stats): known is KnownFolder {
  return (
    known !== undefined &&
    known.mtimeMs === info.mtimeMs &&
    known.ctimeMs === info.ctimeMs &&
    known.ino === info.ino
  );
}

function isSameFile(known: KnownFile, info: Stats): boolean {
  return (
    known.isSettled &&
    known.size === info.size &&
    known.mtimeMs === info.mtimeMs &&
    known.ctimeMs === info.ctimeMs &&
    known.ino === info.ino
  );
}

function isSameMap<K, V>(a: ReadonlyMap<K, V>, b: ReadonlyMap<K, V>): boolean {
  return a.size === b.size && [...b].every(([key, value]) => a.get(key) === value);
}

export function hashFiles(state: TreeState | undefined): readonly string[] {
  return [...(state?.folders.values() ?? [])].flatMap(({ files }) =>
    [...files.values()].flatMap(({ copy }) => ("hash" in copy ? [copy.hash] : [])),
  );
}

/** Unreadable or removed. */
function readEntries(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
