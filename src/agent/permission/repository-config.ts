import { lstatSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isHarmlessGitConfig } from "../tools/harmless-git-config.ts";
import { linkedRepositories } from "./linked-repositories.ts";
import { physicalPath } from "./physical-path.ts";

const MAX_CONFIG_BYTES = 256 * 1024;
const MAX_INDEX_BYTES = 256 * 1024 * 1024;
/** Submodules of submodules. */
const MAX_DEPTH = 8;

/**
 * True if no config of the repository that a folder belongs to makes git run a program when it only
 * reads: monitors, filters and converters of text. Hooks and aliases do not count, since no command
 * that reads runs them. What cannot be read or understood counts as harmful.
 */
export function isHarmlessRepository(folder: string): boolean {
  const repository = repositoryOf(folder);
  return repository === undefined || (repository !== "unknown" && isHarmless(repository, 0));
}

function isHarmless({ gitFolder, workTree }: Repository, depth: number): boolean {
  const common = textOf(join(gitFolder, "commondir"));
  if (common === "unreadable" || !isItsOwn({ gitFolder, workTree }, common?.trim())) return false;
  const folders =
    common === undefined ? [gitFolder] : [gitFolder, resolve(gitFolder, common.trim())];
  const files = folders.flatMap((one) => [join(one, "config"), join(one, "config.worktree")]);
  const texts = files.map(textOf);
  const areHarmless = texts.every((text) => {
    if (text === undefined) return true;
    if (text === "unreadable") return false;
    return isHarmlessGitConfig(withoutOwnPlace(text, { gitFolder, workTree }), "reading");
  });
  return areHarmless && areLinkedHarmless({ gitFolder, workTree }, { depth, config: texts.join() });
}

const HISTORY = ["HEAD", "refs", "objects", "packed-refs", "logs", "shallow", "info"];

/**
 * True if a work tree and its folder of git belong together, so that nobody's other history is
 * read: the
 * folder is `.git` of it or knows it, as git notes of worktrees and submodules, and holds no links.
 */
function isItsOwn({ gitFolder, workTree }: Repository, common: string | undefined): boolean {
  const own = join(workTree, ".git");
  const shared = common === undefined ? gitFolder : resolve(gitFolder, common);
  const isLinked = [gitFolder, shared].some((folder) =>
    HISTORY.some((name) =>
      lstatSync(join(folder, name), { throwIfNoEntry: false })?.isSymbolicLink(),
    ),
  );
  if (isLinked) return false;
  if (common !== undefined) {
    const named = textOf(join(gitFolder, "gitdir"))?.trim() ?? "";
    const lies = physicalPath(join(gitFolder, "../..")) === physicalPath(shared);
    return lies && isSamePlace(resolve(gitFolder, named), own);
  }
  if (gitFolder === own || gitFolder === workTree) return true;
  const text = textOf(join(gitFolder, "config")) ?? "";
  const named = /^\s*worktree\s*=\s*(\S+)\s*$/m.exec(text)?.[1];
  return named !== undefined && isSamePlace(resolve(gitFolder, named), workTree);
}

function isSamePlace(one: string, other: string): boolean {
  return physicalPath(one) === physicalPath(other);
}

function areLinkedHarmless(
  { gitFolder, workTree }: Repository,
  { depth, config }: { readonly depth: number; readonly config: string },
): boolean {
  const index = join(gitFolder, "index");
  const info = lstatSync(index, { throwIfNoEntry: false });
  if (info === undefined) return true;
  if (!info.isFile() || info.size > MAX_INDEX_BYTES) return false;
  const linked = linkedRepositories(readFileSync(index), /sha256/i.test(config) ? 32 : 20);
  if (linked === undefined || (linked.length > 0 && depth === MAX_DEPTH)) return false;
  return linked.every((path) => {
    const repository = repositoryAt(join(workTree, path));
    return (
      repository === undefined || (repository !== "unknown" && isHarmless(repository, depth + 1))
    );
  });
}

/** A submodule names the folder in which it lies; any other asks. */
function withoutOwnPlace(text: string, { gitFolder, workTree }: Repository): string {
  return text.replace(/^\s*worktree\s*=\s*(\S+)\s*$/gm, (line, named: string) =>
    resolve(gitFolder, named) === workTree ? "" : line,
  );
}

interface Repository {
  readonly gitFolder: string;
  readonly workTree: string;
}

/** As git finds it: `.git` of the folder or of one above it, or a bare repository. */
function repositoryOf(folder: string): Repository | "unknown" | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const found = repositoryAt(at);
    if (found !== undefined) return found;
    const isBare = ["HEAD", "objects", "refs"].every((name) =>
      lstatSync(join(at, name), { throwIfNoEntry: false }),
    );
    if (isBare) return { gitFolder: at, workTree: at };
    if (dirname(at) === at) return undefined;
  }
}

function repositoryAt(workTree: string): Repository | "unknown" | undefined {
  const git = join(workTree, ".git");
  const info = lstatSync(git, { throwIfNoEntry: false });
  if (info === undefined) return undefined;
  if (info.isDirectory()) return { gitFolder: git, workTree };
  const text = info.isFile() ? textOf(git) : undefined;
  const named = /^gitdir: (.+?)\s*$/.exec(text ?? "")?.[1];
  return named === undefined ? "unknown" : { gitFolder: resolve(workTree, named), workTree };
}

/** Undefined: there is no such file. */
function textOf(path: string): string | "unreadable" | undefined {
  const info = lstatSync(path, { throwIfNoEntry: false });
  if (info === undefined) return undefined;
  if (!info.isFile() || info.size > MAX_CONFIG_BYTES) return "unreadable";
  return readFileSync(path, "utf8");
}
