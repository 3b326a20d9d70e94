import { copyFileSync, lstatSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { listFolder } from "../../shared/files.ts";
import { gitOutputSync, readGitOutput } from "../../shared/safe-git.ts";

/**
 * References that protect objects of undoable turns from `git gc`, one per object. They exist while
 * a turn runs and while its changes of git can be undone.
 */
const REF_PREFIX = "refs/cairn/undo/";
export const OBJECT_ID = /\b(?:[0-9a-f]{64}|[0-9a-f]{40})\b/g;
/** Files of `.git` that name objects and that `git for-each-ref` does not list. */
const REF_FILES = [
  ...["HEAD", "ORIG_HEAD", "MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "REBASE_HEAD"],
  ...["logs/refs/stash"],
];
const MAX_OBJECTS = 1_000;
const TIMEOUT_MS = 10_000;

interface Protection {
  readonly turnId: string;
  readonly indexCopy: string;
}

/**
 * Protects commits, tags and staged files of the repository and of its submodules, each up to
 * 1 000 references.
 */
export async function protectGitObjects(root: string, protection: Protection): Promise<void> {
  for (const repository of findRepositories(root)) await protectObjects(repository, protection);
}

async function protectObjects(
  repository: string,
  { turnId, indexCopy }: Protection,
): Promise<void> {
  const named = REF_FILES.flatMap((name) => readIds(join(repository, name)));
  const listed = await readOutput(repository, [
    ...["for-each-ref", "--format=%(objectname)"],
    ...PROTECTED_REFS,
  ]);
  const staged = await writeStagedTree(repository, indexCopy);
  const ids = [...new Set([...named, ...(listed ?? "").split("\n"), staged ?? ""])];
  const objectIds = ids.filter((id) => id !== "");
  if (objectIds.length > MAX_OBJECTS) return;
  const found = gitOutputSync(["cat-file", "--batch-check=%(objectname) %(objecttype)"], {
    ...inRepository(repository),
    ...{ input: objectIds.join("\n"), stdio: ["pipe", "pipe", "ignore"] },
  });
  const present = (found ?? "").split("\n").flatMap((line) => {
    const [id = "", type = "missing"] = line.split(" ");
    return type === "missing" || id === "" ? [] : [id];
  });
  updateReferences(
    repository,
    present.map((id) => `update ${REF_PREFIX}${turnId}/${id} ${id}`),
  );
}

const PROTECTED_REFS = ["refs/heads", "refs/tags", "refs/stash"];

export async function releaseGitObjects(root: string, isNeeded: (turnId: string) => boolean) {
  for (const repository of findRepositories(root)) {
    const listed = await readOutput(repository, [
      "for-each-ref",
      "--format=%(refname)",
      REF_PREFIX,
    ]);
    const unneeded = (listed ?? "")
      .split("\n")
      .filter(
        (name) => name !== "" && !isNeeded(name.slice(REF_PREFIX.length).split("/")[0] ?? ""),
      );
    updateReferences(
      repository,
      unneeded.map((name) => `delete ${name}`),
    );
  }
}

export function withoutProtection(packedRefs: Buffer): Buffer {
  const lines = packedRefs.toString("latin1").split("\n");
  return Buffer.from(lines.filter((line) => !line.includes(` ${REF_PREFIX}`)).join("\n"), "latin1");
}

function updateReferences(repository: string, lines: readonly string[]): void {
  if (lines.length === 0) return;
  gitOutputSync(["update-ref", "--stdin"], {
    ...inRepository(repository),
    ...{ input: `${lines.join("\n")}\n`, stdio: ["pipe", "pipe", "ignore"] },
  });
}

/** Returns the staged files as a tree object; undefined during a conflict. */
async function writeStagedTree(repository: string, indexCopy: string): Promise<string | undefined> {
  try {
    mkdirSync(dirname(indexCopy), { recursive: true, mode: 0o700 });
    copyFileSync(join(repository, "index"), indexCopy);
    return (await readOutput(repository, ["write-tree"], { GIT_INDEX_FILE: indexCopy }))?.trim();
  } catch (error) {
    // A repository without staged files has no index.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  } finally {
    rmSync(indexCopy, { force: true });
  }
}

/** Each costs four starts of git. */
const MAX_REPOSITORIES = 20;
const MAX_FOLDERS = 1_000;

/**
 * Returns the git folders of the project and its submodules. Of a linked worktree none, which has a
 * file instead: an undo leaves its repository alone.
 */
function findRepositories(root: string): readonly string[] {
  const found: string[] = [];
  const folders = [join(root, ".git")];
  for (const next of folders) {
    if (found.length === MAX_REPOSITORIES) break;
    if (!isFolder(next)) continue;
    const isRepository = isFolder(join(next, "objects"));
    if (isRepository) found.push(next);
    // The name of a submodule may contain slashes.
    const below = isRepository ? join(next, "modules") : next;
    const names = listFolder(below).slice(0, MAX_FOLDERS - folders.length);
    for (const name of names) folders.push(join(below, name));
  }
  return found;
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function readIds(path: string): readonly string[] {
  try {
    return readFileSync(path, "latin1").match(OBJECT_ID) ?? [];
  } catch {
    // Expected: most of these files exist only during an operation.
    return [];
  }
}

function inRepository(repository: string) {
  return { cwd: repository, config: ["--git-dir", repository] };
}

/** Undefined if git is missing, slow or fails. */
async function readOutput(
  repository: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string | undefined> {
  try {
    return await readGitOutput(args, { ...inRepository(repository), env, timeout: TIMEOUT_MS });
  } catch {
    return undefined;
  }
}
