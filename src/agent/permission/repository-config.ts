import { lstatSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { physicalPath } from "../../shared/physical-path.ts";
import { isHarmlessGitConfig } from "../tools/harmless-git-config.ts";

const HEAD_BYTES = 12;
const STAT_BYTES = 40;
const MODE_OFFSET = 24;
const GITLINK_MODE = 0o160000;
const EXTENDED_FLAG = 0x4000;

/**
 * Returns the submodule paths in an index of git, whose configs git reads when it shows a status.
 * Undefined if the index cannot be parsed.
 */
export function linkedRepositories(
  index: Buffer,
  hashBytes: 20 | 32 = 20,
): readonly string[] | undefined {
  if (index.length < HEAD_BYTES || index.toString("latin1", 0, 4) !== "DIRC") return undefined;
  const version = index.readUInt32BE(4);
  const count = index.readUInt32BE(8);
  if (version < 2 || version > 4) return undefined;
  const found: string[] = [];
  let at = HEAD_BYTES;
  let before = Buffer.alloc(0);
  for (let entry = 0; entry < count; entry += 1) {
    const flagsAt = at + STAT_BYTES + hashBytes;
    if (flagsAt + 2 > index.length) return undefined;
    let nameAt = flagsAt + ((index.readUInt16BE(flagsAt) & EXTENDED_FLAG) === 0 ? 2 : 4);
    let sharedPrefix = Buffer.alloc(0);
    if (version === 4) {
      const cut = readNumber(index, nameAt);
      nameAt = cut.end;
      sharedPrefix = before.subarray(0, before.length - cut.value);
    }
    const end = index.indexOf(0, nameAt);
    if (end === -1) return undefined;
    const name = Buffer.concat([sharedPrefix, index.subarray(nameAt, end)]);
    if (index.readUInt32BE(at + MODE_OFFSET) === GITLINK_MODE) found.push(name.toString());
    // Padded with one or more zeros to a multiple of eight.
    at = version === 4 ? end + 1 : at + 8 * (Math.floor((end - at) / 8) + 1);
    before = name;
  }
  // Entries are in another file.
  return index.subarray(at).includes("link\0") ? undefined : found;
}

/** Seven bits per byte, the highest first; each further byte adds one. */
function readNumber(index: Buffer, start: number): { value: number; end: number } {
  let at = start;
  let value = (index[at] ?? 0) & 0x7f;
  while (((index[at] ?? 0) & 0x80) !== 0) {
    at += 1;
    value = (value + 1) * 128 + ((index[at] ?? 0) & 0x7f);
  }
  return { value, end: at + 1 };
}

const MAX_CONFIG_BYTES = 256 * 1024;
const MAX_INDEX_BYTES = 256 * 1024 * 1024;
const MAX_DEPTH = 8;

/**
 * True if no config of the folder's repository makes git run a program when it only reads:
 * monitors, filters and text converters. Hooks and aliases are ignored, since no reading command
 * runs them. An unreadable config counts as harmful.
 */
export function isHarmlessRepository(folder: string): boolean {
  const repository = findRepository(folder);
  return repository === undefined || (repository !== "unknown" && isHarmless(repository, 0));
}

function isHarmless({ gitFolder, workTree }: Repository, depth: number): boolean {
  const common = readText(join(gitFolder, "commondir"));
  if (common === "unreadable" || !isOwnPath({ gitFolder, workTree }, common?.trim())) return false;
  const folders =
    common === undefined ? [gitFolder] : [gitFolder, resolve(gitFolder, common.trim())];
  const files = folders.flatMap((one) => [join(one, "config"), join(one, "config.worktree")]);
  const texts = files.map(readText);
  const areHarmless = texts.every((text) => {
    if (text === undefined) return true;
    if (text === "unreadable") return false;
    return isHarmlessGitConfig(removeOwnPath(text, { gitFolder, workTree }), "reading");
  });
  return (
    areHarmless &&
    areLinkedRepositoriesHarmless({ gitFolder, workTree }, { depth, config: texts.join() })
  );
}

const HISTORY_FILES = ["HEAD", "refs", "objects", "packed-refs", "logs", "shallow", "info"];

/** True if its folder is its `.git` or names it, and contains no links. */
function isOwnPath({ gitFolder, workTree }: Repository, common: string | undefined): boolean {
  const own = join(workTree, ".git");
  const shared = common === undefined ? gitFolder : resolve(gitFolder, common);
  const isLinked = [gitFolder, shared].some((folder) =>
    HISTORY_FILES.some((name) =>
      lstatSync(join(folder, name), { throwIfNoEntry: false })?.isSymbolicLink(),
    ),
  );
  if (isLinked) return false;
  if (common !== undefined) {
    const named = readText(join(gitFolder, "gitdir"))?.trim() ?? "";
    const lies = physicalPath(join(gitFolder, "../..")) === physicalPath(shared);
    return lies && isSameFolder(resolve(gitFolder, named), own);
  }
  if (gitFolder === own || gitFolder === workTree) return true;
  const text = readText(join(gitFolder, "config")) ?? "";
  const named = /^\s*worktree\s*=\s*(\S+)\s*$/m.exec(text)?.[1];
  return named !== undefined && isSameFolder(resolve(gitFolder, named), workTree);
}

function isSameFolder(one: string, other: string): boolean {
  return physicalPath(one) === physicalPath(other);
}

function areLinkedRepositoriesHarmless(
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
    const repository = openRepository(join(workTree, path));
    return (
      repository === undefined || (repository !== "unknown" && isHarmless(repository, depth + 1))
    );
  });
}

/** A submodule's config names its work tree; another path counts as harmful. */
function removeOwnPath(text: string, { gitFolder, workTree }: Repository): string {
  return text.replace(/^\s*worktree\s*=\s*(\S+)\s*$/gm, (line, named: string) =>
    resolve(gitFolder, named) === workTree ? "" : line,
  );
}

interface Repository {
  readonly gitFolder: string;
  readonly workTree: string;
}

/** Finds `.git` of the folder or an ancestor, or a bare repository, in the order of git. */
function findRepository(folder: string): Repository | "unknown" | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const found = openRepository(at);
    if (found !== undefined) return found;
    const isBare = ["HEAD", "objects", "refs"].every((name) =>
      lstatSync(join(at, name), { throwIfNoEntry: false }),
    );
    if (isBare) return { gitFolder: at, workTree: at };
    if (dirname(at) === at) return undefined;
  }
}

function openRepository(workTree: string): Repository | "unknown" | undefined {
  const git = join(workTree, ".git");
  const info = lstatSync(git, { throwIfNoEntry: false });
  if (info === undefined) return undefined;
  if (info.isDirectory()) return { gitFolder: git, workTree };
  const text = info.isFile() ? readText(git) : undefined;
  const named = /^gitdir: (.+?)\s*$/.exec(text ?? "")?.[1];
  return named === undefined ? "unknown" : { gitFolder: resolve(workTree, named), workTree };
}

function readText(path: string): string | "unreadable" | undefined {
  const info = lstatSync(path, { throwIfNoEntry: false });
  if (info === undefined) return undefined;
  if (!info.isFile() || info.size > MAX_CONFIG_BYTES) return "unreadable";
  return readFileSync(path, "utf8");
}
