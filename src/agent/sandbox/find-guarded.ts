import type { Dirent, Stats } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { isActedUponItself } from "../tools/acted-upon.ts";

/** Folders that are looked into at most: far more than what people work in. */
const MAX_FOLDERS = 200_000;
const MAX_PACKAGE_FOLDERS = 20_000;
const AT_ONCE = 16;
const OF_GIT = new Set(["objects", "refs", "logs", "hooks", "info"]);

export interface GuardedThings {
  /** Folders that git takes for a repository: `.git`, bare ones, those of submodules. */
  readonly folders: readonly string[];
  /** `.git` that is a file or a symbolic link, and so names a folder elsewhere. */
  readonly links: readonly string[];
  readonly named: readonly string[];
  /** This user's own folders that cannot be listed; what is in them may be reached by name. */
  readonly unread: readonly string[];
  /** There are more folders than were looked into. */
  readonly isPartly: boolean;
}

interface Found {
  readonly folders: string[];
  readonly links: string[];
  readonly named: string[];
  readonly unread: Set<string>;
  /** Looked into next, those of installed packages apart. */
  next: string[];
  packages: string[];
}

/**
 * Everything below a folder that git would take for a repository, or that something else acts upon.
 * Symbolic links are not followed. Throws where a folder could not be listed for a reason that may pass, as
 * when there are too many open files: what is in it would count as absent.
 */
export async function findGuarded(root: string, most = MAX_FOLDERS): Promise<GuardedThings> {
  const found: Found = {
    ...{ folders: [], links: [], named: [], unread: new Set() },
    ...{ next: [root], packages: [] },
  };
  let looked = 0;
  while (found.next.length > 0 && looked < most) {
    const now = found.next.slice(0, most - looked);
    found.next = found.next.slice(now.length);
    looked += now.length;
    await look(now, found);
  }
  const isPartly = found.next.length > 0;
  let inPackages = 0;
  while (!isPartly && found.packages.length > 0 && inPackages < MAX_PACKAGE_FOLDERS) {
    const now = found.packages.slice(0, MAX_PACKAGE_FOLDERS - inPackages);
    found.packages = found.packages.slice(now.length);
    inPackages += now.length;
    await look(now, found);
  }
  const { folders, links, named, unread } = found;
  return { folders, links, named, unread: [...unread], isPartly };
}

async function look(level: readonly string[], found: Found): Promise<void> {
  for (let at = 0; at < level.length; at += AT_ONCE) {
    const batch = level.slice(at, at + AT_ONCE);
    const lists = await Promise.all(batch.map((folder) => listFolder(folder, found)));
    for (const [index, entries] of lists.entries()) note(batch[index] ?? "", entries, found);
  }
}

function note(folder: string, entries: readonly Dirent[], found: Found): void {
  const names = new Set(entries.map(({ name }) => name));
  const isRepository =
    names.has("HEAD") && ((names.has("objects") && names.has("refs")) || names.has("commondir"));
  if (isRepository) found.folders.push(folder);
  const isPackage = folder.split(sep).includes("node_modules");
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.name.toLowerCase() === ".git" && !entry.isDirectory()) found.links.push(path);
    if (!isPackage && !isRepository && isActedUponItself(path)) found.named.push(path);
    if (!entry.isDirectory() || (isRepository && OF_GIT.has(entry.name))) continue;
    (isPackage || entry.name === "node_modules" ? found.packages : found.next).push(path);
  }
}

async function listFolder(folder: string, found: Found): Promise<readonly Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (isGone(error)) return [];
    if ((error as NodeJS.ErrnoException).code !== "EACCES") throw error;
    const info = await lookAt(folder);
    if (info === undefined) found.unread.add(dirname(folder));
    // Another user's is opened by no command, and git of this user reads nothing there.
    else if (info.uid === process.getuid?.()) found.unread.add(folder);
    return [];
  }
}

/** The path, or a folder above it, is not there. */
export function isGone(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "");
}

/**
 * Undefined for what is not there, or behind a folder through which this user does not come. Throws where
 * the system could not say: what was not seen must not count as absent.
 */
export async function lookAt(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (isGone(error) || (error as NodeJS.ErrnoException).code === "EACCES") return undefined;
    throw error;
  }
}

/** A path with what tells whether it was changed. */
type Marks = ReadonlyMap<string, string>;

/**
 * What the person added of things that are acted upon while commands were there but did nothing:
 * between two looks none of their processes ran, so what is new is not theirs. What a command could
 * have changed since is no longer the person's.
 */
export class OwnAdditions {
  readonly #work: () => string | undefined;
  #own = new Map<string, string>();
  #seen: Marks = new Map();
  #workBefore: string | undefined;

  /** `work` tells what commands have done so far; see `workOfCommands`. */
  constructor(work: () => string | undefined) {
    this.#work = work;
  }

  /** No command is there: all that is there was there before. */
  async begin(paths: readonly string[]): Promise<void> {
    this.#workBefore = undefined;
    this.#own = new Map();
    this.#seen = await marksOf(paths);
  }

  /** Looks again: `find` tells what is there. */
  async look<Things>(
    find: () => Promise<{ readonly things: Things; readonly paths: readonly string[] }>,
  ): Promise<Things> {
    const began = this.#work();
    const { things, paths } = await find();
    const marks = await marksOf(paths);
    const nobodyWorked = this.#workBefore !== undefined && this.#workBefore === this.#work();
    const own = [...marks].filter(([path, mark]) =>
      this.#own.has(path)
        ? nobodyWorked || this.#own.get(path) === mark
        : nobodyWorked && !this.#seen.has(path),
    );
    this.#own = new Map(own);
    this.#seen = marks;
    this.#workBefore = began;
    return things;
  }

  has(path: string): boolean {
    return this.#own.has(path);
  }
}

async function marksOf(paths: readonly string[]): Promise<Marks> {
  const marks = await Promise.all(paths.map(async (path) => [path, await markOf(path)] as const));
  return new Map(marks.filter(([, mark]) => mark !== ""));
}

/** Empty for what is gone; of a folder what is in it counts, too. */
async function markOf(path: string): Promise<string> {
  const info = await lookAt(path);
  if (info === undefined) return "";
  if (!info.isDirectory()) return stateOf(info);
  const names = await readdir(path).catch((error: unknown) => {
    if (isGone(error) || (error as NodeJS.ErrnoException).code === "EACCES") return [];
    throw error;
  });
  const inside = await Promise.all(
    names.sort().map(async (name) => `${name} ${await markOf(join(path, name))}`),
  );
  return [stateOf(info), ...inside].join("\n");
}

function stateOf({ ino, ctimeMs, size }: Stats): string {
  return `${ino} ${ctimeMs} ${size}`;
}
