import { lstatSync, readdirSync, realpathSync, type Stats } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { lazy } from "../../shared/collections.ts";
import { runProgram } from "../../shared/programs.ts";
import { disableFilters, readGitOutput } from "../../shared/safe-git.ts";
import { MAX_FILE_BYTES } from "../checkpoints/file-copy.ts";
import { FIND_TESTS_WITH_VALUE } from "./readers.ts";
import { isSearch } from "./reading-programs.ts";
import { isHarmlessRepository } from "./repository-config.ts";

const MAX_FILES = 2_000;
const MAX_BYTES = 64 * 1024 * 1024;

/** Everything at and below these paths, folders first. Undefined if undo cannot restore it. */
function filesToHold(paths: readonly string[]): readonly string[] | undefined {
  const found: string[] = [];
  const waiting = [...paths];
  let bytes = 0;
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const info = tryLstat(path);
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

function tryLstat(path: string): Stats | undefined {
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

/** Characters that a shell expands. */
const EXPANSION_CHARACTER = /[$`*?[\]{}~]/;
const TIMEOUT_MS = 10_000;

/** Programs whose words, except for options, are files that they delete or empty. */
const DELETING_PROGRAMS: ReadonlySet<string> = new Set(["rm", "rmdir", "unlink", "truncate"]);

export interface Deletion {
  readonly words: readonly string[];
  readonly folder: string;
  readonly isFirst: boolean;
  /** Stores files for the turn's undo; undefined if nothing can be undone. */
  readonly storeForUndo: ((paths: readonly string[]) => Promise<void>) | undefined;
}

/** True if each file is committed and unchanged, or ignored and stored for undo. */
export async function isRecoverable({
  words,
  folder,
  isFirst,
  storeForUndo,
}: Deletion): Promise<boolean> {
  const isFind = words[0] === "find";
  if (isFind && !isFirst) return false;
  const named = isFind ? await selectedByFind(words, folder) : deletedPaths(words);
  if (named === undefined) return false;
  const paths = isFirst ? named.filter((path) => pathExists(resolve(folder, path))) : named;
  if (paths.length === 0) return true;
  if (paths.some((path) => leadsThroughLink(path, folder))) return false;
  if (!isHarmlessRepository(folder)) return false;
  const git = createGit(folder);
  if (await isStoredInGit(paths, git)) return true;
  if (!isFirst || storeForUndo === undefined) return false;
  const absolute = paths.map((path) => resolve(folder, path));
  if (!(await areIgnored(absolute, git))) return false;
  try {
    const files = filesToHold(absolute.map(resolveRealPath));
    if (files === undefined) return false;
    await storeForUndo(files);
    return true;
  } catch {
    // Expected: a file was removed, replaced or made unreadable meanwhile.
    return false;
  }
}

/** Resolves the links above the path, not the path itself. */
function resolveRealPath(path: string): string {
  return join(realpathSync(dirname(path)), basename(path));
}

/** A trailing slash on a link, as in `dist/`, deletes the link's target. */
function leadsThroughLink(path: string, folder: string): boolean {
  if (!path.endsWith("/")) return false;
  return lstatSync(resolve(folder, path), { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

function pathExists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Undefined if git is missing, too slow, or does not know a path. */
type Git = (paths: readonly string[], ...args: readonly string[]) => Promise<string | undefined>;

function createGit(folder: string): Git {
  const filters = lazy(() => disableFilters(folder));
  return async (paths, ...args) => {
    try {
      const options = { cwd: folder, config: await filters(), timeout: TIMEOUT_MS };
      return await readGitOutput([...args, "--", ...paths], options);
    } catch {
      return undefined;
    }
  };
}

async function isStoredInGit(paths: readonly string[], git: Git): Promise<boolean> {
  const literally = (...args: string[]) => git(paths, "--literal-pathspecs", ...args);
  const entries = await literally("ls-files", "-v", "--stage", "-z", "--error-unmatch");
  // `H`: changes are noticed (no skip-worktree or assume-unchanged); 160000: a repository.
  const isPlain = (entry: string) => /^H (?!160000)\d{6} /.test(entry);
  if (entries === undefined || !entries.split("\0").slice(0, -1).every(isPlain)) return false;
  return (await literally("status", "--porcelain", "--ignored", "--untracked-files=all")) === "";
}

/** Takes absolute paths, since a leading `:` is a pattern. */
async function areIgnored(paths: readonly string[], git: Git): Promise<boolean> {
  const ignored = await git(paths, "check-ignore");
  return ignored?.split("\n").slice(0, -1).length === paths.length;
}

const MAX_SELECTED = 2_000;
const PRINT_ACTION = /^-(print|ls|quit)/;

/** Paths that `find … -delete` would delete; undefined if it has other effects. */
async function selectedByFind(
  [program = "", ...words]: readonly string[],
  folder: string,
): Promise<readonly string[] | undefined> {
  const isDelete = (word: string, at: number) =>
    word === "-delete" && !FIND_TESTS_WITH_VALUE.has(words[at - 1] ?? "");
  const others = words.filter((word, at) => !isDelete(word, at));
  if (!isSearch(others) || others.some((word) => PRINT_ACTION.test(word) || /[$`~{}]/.test(word))) {
    return undefined;
  }
  // `-delete` implies `-depth`, which makes `-prune` ineffective.
  const listing = words.flatMap((word, at) =>
    isDelete(word, at) ? ["(", "-depth", "-print0", ")"] : [word],
  );
  try {
    const options = { cwd: folder, timeout: TIMEOUT_MS, maxBuffer: 1024 * 1024 };
    const { stdout } = await runProgram(program, listing, options);
    const selected = String(stdout).split("\0").slice(0, -1);
    return selected.length > MAX_SELECTED ? undefined : selected;
  } catch {
    // Expected: an expression or folder that find refuses, or too many files.
    return undefined;
  }
}

function deletedPaths([program = "", ...words]: readonly string[]): readonly string[] | undefined {
  if (!DELETING_PROGRAMS.has(program)) return undefined;
  const paths = words.filter((word) => !word.startsWith("-"));
  return paths.length === 0 || paths.some((path) => EXPANSION_CHARACTER.test(path))
    ? undefined
    : paths;
}
