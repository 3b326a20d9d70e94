import type { Dirent, Stats } from "node:fs";
import { lstat, readdir, readlink, realpath } from "node:fs/promises";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { isInside } from "../../shared/is-inside.ts";
import { openPinnedFile } from "../documents/pinned-folder.ts";
import { isAutoRunFile, isAutoRunFolder } from "../tools/auto-run-files.ts";

const MAX_FOLDERS = 200_000;
const MAX_PACKAGE_FOLDERS = 20_000;
const MAX_CONCURRENT_READS = 16;

export interface GuardedLocations {
  readonly root: string;
  /** Folders of the repository outside of the project that its `.git` file names. */
  readonly gitFolders?: readonly string[];
  /** Temporary files and caches of commands: a link from the project into them is guarded. */
  readonly elsewhere?: readonly string[];
  /** With more folders, no command runs. */
  readonly mostFolders?: number;
}

export interface GuardedPaths {
  /** Real paths of repositories, wherever they are. */
  readonly folders: readonly string[];
  /** `.git` files and links, which name a folder elsewhere. */
  readonly links: readonly string[];
  /** Files that other programs load by name, and links that give a file such a name. */
  readonly named: readonly string[];
  /** Unreadable folders of this user, whose entries may be reached by name. */
  readonly unread: readonly string[];
  readonly isPartly: boolean;
}

/** Names in folders of git are branches, not settings of programs. */
interface Folder {
  readonly path: string;
  readonly kind: "files" | "packages" | "git";
}

interface GuardSearch {
  readonly folders: Set<string>;
  readonly links: string[];
  readonly named: string[];
  readonly unread: Set<string>;
  readonly leadingOut: string[];
  /** Without folders of installed packages. */
  next: Folder[];
  packages: Folder[];
}

/**
 * Finds repositories, and files that other programs load. A `.git` link counts by the folder that
 * it names; other links are not followed. Throws if a folder could not be listed for a temporary
 * reason, such as too many open files.
 */
export async function findGuarded(locations: GuardedLocations): Promise<GuardedPaths> {
  const { root, gitFolders = [], elsewhere = [], mostFolders = MAX_FOLDERS } = locations;
  const found: GuardSearch = {
    ...{ folders: new Set(gitFolders), links: [], named: [], unread: new Set(), leadingOut: [] },
    ...{ next: [{ path: root, kind: "files" }], packages: [] },
  };
  let looked = 0;
  while (found.next.length > 0 && looked < mostFolders) {
    const now = found.next.slice(0, mostFolders - looked);
    found.next = found.next.slice(now.length);
    looked += now.length;
    await inspectFolder(now, found);
  }
  const isPartly = found.next.length > 0;
  let inPackages = 0;
  while (!isPartly && found.packages.length > 0 && inPackages < MAX_PACKAGE_FOLDERS) {
    const now = found.packages.slice(0, MAX_PACKAGE_FOLDERS - inPackages);
    found.packages = found.packages.slice(now.length);
    inPackages += now.length;
    await inspectFolder(now, found);
  }
  for (const link of found.links) {
    for (const folder of await foldersNamedBy(link)) {
      if ([root, ...gitFolders].some((container) => isInside(container, folder)))
        found.folders.add(folder);
    }
  }
  for (const link of found.leadingOut) {
    if (await leadsToRepository(link, elsewhere)) found.named.push(link);
  }
  const { folders, links, named, unread } = found;
  return { folders: [...folders], links, named, unread: [...unread], isPartly };
}

async function inspectFolder(level: readonly Folder[], found: GuardSearch): Promise<void> {
  for (let at = 0; at < level.length; at += MAX_CONCURRENT_READS) {
    const batch = level.slice(at, at + MAX_CONCURRENT_READS);
    const lists = await Promise.all(batch.map(({ path }) => listFolder(path, found)));
    for (const [index, folder] of batch.entries())
      await recordPath(folder, lists[index] ?? [], found);
  }
}

async function recordPath(
  { path: folder, kind }: Folder,
  entries: readonly Dirent[],
  found: GuardSearch,
): Promise<void> {
  const names = new Set(entries.map(({ name }) => name));
  const isRepository =
    names.has("HEAD") && ((names.has("objects") && names.has("refs")) || names.has("commondir"));
  if (isRepository) found.folders.add(folder);
  const below = isRepository ? "git" : kind;
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.name.toLowerCase() === ".git" && !entry.isDirectory()) found.links.push(path);
    if (below === "files" && isNamed(entry, path)) found.named.push(path);
    if (entry.isSymbolicLink() && below === "files" && (await mayLeadOut(path))) {
      found.leadingOut.push(path);
    }
    if (!entry.isDirectory()) continue;
    if (below === "files" && entry.name === "node_modules") {
      found.packages.push({ path, kind: "packages" });
    } else (below === "packages" ? found.packages : found.next).push({ path, kind: below });
  }
}

/** A link named `.github` makes its target's `workflows` `.github/workflows`. */
function isNamed(entry: Dirent, path: string): boolean {
  return isAutoRunFile(path) || (entry.isSymbolicLink() && isAutoRunFolder(entry.name));
}

/** Returns the git folder that a `.git` file or link names, and its common folder. */
export async function foldersNamedBy(link: string): Promise<readonly string[]> {
  const own = await realFolder(await readLinkTarget(link));
  if (own === undefined) return [];
  const common = (await readSmall(join(own, "commondir")))?.trim();
  const shared = common === undefined ? undefined : await realFolder(resolve(own, common));
  return shared === undefined ? [own] : [own, shared];
}

async function readLinkTarget(link: string): Promise<string | undefined> {
  const info = await inspectPath(link);
  if (info?.isSymbolicLink() === true) return link;
  const named = /^gitdir: (.+?)\s*$/.exec((await readSmall(link)) ?? "")?.[1];
  return named === undefined ? undefined : resolve(dirname(link), named);
}

async function realFolder(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  const real = await realpath(path).catch(rethrowShortage);
  if (real === undefined) return undefined;
  return (await inspectPath(real))?.isDirectory() === true ? real : undefined;
}

/** Checks the link text: a target inside the project is searched anyway. */
async function mayLeadOut(link: string): Promise<boolean> {
  const text = await readlink(link).catch(rethrowShortage);
  return text !== undefined && (isAbsolute(text) || text.includes(".."));
}

/**
 * True if a project link targets temporary files of commands, or a repository in their caches whose
 * config git would run.
 */
async function leadsToRepository(link: string, elsewhere: readonly string[]): Promise<boolean> {
  const real = await realFolder(link);
  const container = elsewhere.find((one) => real !== undefined && isInside(one, real));
  if (real === undefined || container === undefined) return false;
  for (let at = real; isInside(container, at); at = dirname(at)) {
    const there = await Promise.all([".git", "HEAD"].map((name) => inspectPath(join(at, name))));
    if (there.some((info) => info !== undefined)) return true;
  }
  return false;
}

const MAX_CONFIG_BYTES = 256 * 1024;
/** Temporary shortages, which say nothing about the file. */
const RESOURCE_ERROR_CODES = ["EMFILE", "ENFILE", "ENOMEM", "EAGAIN", "EIO"];

export async function readSmall(path: string): Promise<string | undefined> {
  const file = await openPinnedFile(path).catch(rethrowShortage);
  if (file === undefined) return undefined;
  try {
    const info = await file.stat();
    return info.isFile() && info.size <= MAX_CONFIG_BYTES ? await file.readFile("utf8") : undefined;
  } finally {
    await file.close();
  }
}

export function rethrowShortage(error: NodeJS.ErrnoException): undefined {
  if (RESOURCE_ERROR_CODES.includes(error.code ?? "")) throw error;
}

async function listFolder(folder: string, found: GuardSearch): Promise<readonly Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (isMissing(error)) return [];
    if ((error as NodeJS.ErrnoException).code !== "EACCES") throw error;
    const info = await inspectPath(folder);
    if (info === undefined) found.unread.add(dirname(folder));
    // Commands cannot open a file of another user, and git of this user ignores it.
    else if (info.uid === process.getuid?.()) found.unread.add(folder);
    return [];
  }
}

export function isMissing(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "");
}

/**
 * Undefined if it is missing or unreachable. Throws if the system could not tell, so that it does
 * not count as missing.
 */
export async function inspectPath(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (isMissing(error) || (error as NodeJS.ErrnoException).code === "EACCES") return undefined;
    throw error;
  }
}

/** By path; a mark changes with the content. */
type ContentMarks = ReadonlyMap<string, string>;

/**
 * Tracks files that the user added while commands were idle: new files between two checks without
 * activity are the user's. A file that a command could have changed since is not.
 */
export class OwnAdditions {
  readonly #work: () => string | undefined;
  #own = new Map<string, string>();
  #seen: ContentMarks = new Map();
  #workBefore: string | undefined;

  /** `work` returns a measure of what commands have done; see `measureActivity`. */
  constructor(work: () => string | undefined) {
    this.#work = work;
  }

  async begin(paths: readonly string[]): Promise<void> {
    this.#workBefore = undefined;
    this.#own = new Map();
    this.#seen = await readMarks(paths);
  }

  async look<Things>(
    find: () => Promise<{ readonly things: Things; readonly paths: readonly string[] }>,
  ): Promise<Things> {
    const began = this.#work();
    const { things, paths } = await find();
    const marks = await readMarks(paths);
    const isIdle = this.#workBefore !== undefined && this.#workBefore === this.#work();
    const own = [...marks].filter(([path, mark]) =>
      this.#own.has(path)
        ? isIdle || this.#own.get(path) === mark
        : isIdle && !this.#seen.has(path),
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

async function readMarks(paths: readonly string[]): Promise<ContentMarks> {
  const marks = await Promise.all(paths.map(async (path) => [path, await readMark(path)] as const));
  return new Map(marks.filter(([, mark]) => mark !== ""));
}

/** Empty if it is missing; that of a folder includes its entries. */
async function readMark(path: string): Promise<string> {
  const info = await inspectPath(path);
  if (info === undefined) return "";
  if (!info.isDirectory()) return formatStats(info);
  const names = await readdir(path).catch((error: unknown) => {
    if (isMissing(error) || (error as NodeJS.ErrnoException).code === "EACCES") return [];
    throw error;
  });
  const inside = await Promise.all(
    names.sort().map(async (name) => `${name} ${await readMark(join(path, name))}`),
  );
  return [formatStats(info), ...inside].join("\n");
}

function formatStats({ ino, ctimeMs, size }: Stats): string {
  return `${ino} ${ctimeMs} ${size}`;
}
