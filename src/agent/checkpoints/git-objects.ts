import { copyFileSync, mkdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { getGitOutput, gitOutputSync } from "../../shared/safe-git.ts";

/**
 * References that protect objects of undoable turns from `git gc`, one per object. They exist while
 * a turn runs and while its changes of git can be undone.
 */
const PREFIX = "refs/cairn/undo/";
export const OBJECT_ID = /\b(?:[0-9a-f]{64}|[0-9a-f]{40})\b/g;
/** Files of `.git` that name objects and that `git for-each-ref` does not list. */
const NAMING = [
  ...["HEAD", "ORIG_HEAD", "MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "REBASE_HEAD"],
  ...["logs/refs/stash"],
];
const MAX_OBJECTS = 1_000;
const TIMEOUT_MS = 10_000;

/** Protects commits, tags and staged files of the repository, up to 1 000 references. */
export async function protectGitObjects(
  root: string,
  { turnId, indexCopy }: { readonly turnId: string; readonly indexCopy: string },
): Promise<void> {
  if (!hasRepository(root)) return;
  const named = NAMING.flatMap((name) => readIds(join(root, ".git", name)));
  const listed = await outputOf(root, ["for-each-ref", "--format=%(objectname)", ...PROTECTED]);
  const staged = await stagedTree(root, indexCopy);
  const ids = [...new Set([...named, ...(listed ?? "").split("\n"), staged ?? ""])];
  const wanted = ids.filter((id) => id !== "");
  if (wanted.length > MAX_OBJECTS) return;
  const found = gitOutputSync(["cat-file", "--batch-check=%(objectname) %(objecttype)"], {
    ...{ cwd: root, input: wanted.join("\n"), stdio: ["pipe", "pipe", "ignore"] },
  });
  const present = (found ?? "").split("\n").flatMap((line) => {
    const [id = "", type = "missing"] = line.split(" ");
    return type === "missing" || id === "" ? [] : [id];
  });
  updateReferences(
    root,
    present.map((id) => `update ${PREFIX}${turnId}/${id} ${id}`),
  );
}

const PROTECTED = ["refs/heads", "refs/tags", "refs/stash"];

export async function releaseGitObjects(root: string, isNeeded: (turnId: string) => boolean) {
  if (!hasRepository(root)) return;
  const listed = await outputOf(root, ["for-each-ref", "--format=%(refname)", PREFIX]);
  const unneeded = (listed ?? "")
    .split("\n")
    .filter((name) => name !== "" && !isNeeded(name.slice(PREFIX.length).split("/")[0] ?? ""));
  updateReferences(
    root,
    unneeded.map((name) => `delete ${name}`),
  );
}

export function withoutProtection(packedRefs: Buffer): Buffer {
  const lines = packedRefs.toString("latin1").split("\n");
  return Buffer.from(lines.filter((line) => !line.includes(` ${PREFIX}`)).join("\n"), "latin1");
}

function updateReferences(root: string, lines: readonly string[]): void {
  if (lines.length === 0) return;
  gitOutputSync(["update-ref", "--stdin"], {
    ...{ cwd: root, input: `${lines.join("\n")}\n`, stdio: ["pipe", "pipe", "ignore"] },
  });
}

/** Returns the staged files as a tree object; undefined during a conflict. */
async function stagedTree(root: string, indexCopy: string): Promise<string | undefined> {
  try {
    mkdirSync(dirname(indexCopy), { recursive: true, mode: 0o700 });
    copyFileSync(join(root, ".git/index"), indexCopy);
    return (await outputOf(root, ["write-tree"], { GIT_INDEX_FILE: indexCopy }))?.trim();
  } catch (error) {
    // A repository without staged files has no index.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  } finally {
    rmSync(indexCopy, { force: true });
  }
}

/** A linked worktree has a file instead: an undo leaves its repository alone. */
function hasRepository(root: string): boolean {
  return statSync(join(root, ".git"), { throwIfNoEntry: false })?.isDirectory() === true;
}

function readIds(path: string): readonly string[] {
  try {
    return readFileSync(path, "latin1").match(OBJECT_ID) ?? [];
  } catch {
    // Expected: most of these files exist only during an operation.
    return [];
  }
}

/** Undefined if git is missing, slow or fails. */
async function outputOf(
  root: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string | undefined> {
  try {
    return await getGitOutput(args, { cwd: root, env, timeout: TIMEOUT_MS });
  } catch {
    return undefined;
  }
}
