import { join } from "node:path";
import type { Worktree } from "../ports/worktree.ts";
import { git, runGit } from "./git.ts";
import { snapshot } from "./worktree.ts";

export interface WorktreeChange {
  /** Path within the repository, with slashes. */
  readonly path: string;
  readonly kind: "added" | "changed" | "removed";
}

/** One line of `git diff-tree --raw`. */
export interface TreeEntryChange extends WorktreeChange {
  /** `100644`, `100755`, `120000`, `160000`; `000000` if it does not exist. */
  readonly oldMode: string;
  readonly newMode: string;
  readonly oldId: string;
  readonly newId: string;
}

const MAX_DIFF_BYTES = 1024 * 1024;

/** The worktree's files as a tree object, with changes since it was created. */
export async function loadChanges(
  worktree: Worktree,
): Promise<{ readonly tree: string; readonly changes: readonly TreeEntryChange[] }> {
  const tree = await snapshot(worktree.root, join(worktree.folder, "changes-index"));
  return { tree, changes: await compareTrees(worktree.root, worktree.base, tree) };
}

export async function compareTrees(
  top: string,
  from: string,
  to: string,
): Promise<readonly TreeEntryChange[]> {
  const raw = await git(top, [
    "diff-tree",
    "-r",
    "-z",
    "--raw",
    "--no-renames",
    "--no-abbrev",
    from,
    to,
  ]);
  const fields = raw.split("\0");
  const changes: TreeEntryChange[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [oldMode = "", newMode = "", oldId = "", newId = "", status = ""] = (fields[at] ?? "")
      .slice(1)
      .split(" ");
    const kind = status === "A" ? "added" : status === "D" ? "removed" : "changed";
    changes.push({ path: fields[at + 1] ?? "", kind, oldMode, newMode, oldId, newId });
  }
  return changes;
}

/** A unified diff of at most `maxBytes`, computed by git outside of this process. */
export async function createDiff(
  { root, base }: Pick<Worktree, "root" | "base">,
  tree: string,
  {
    paths = [],
    maxBytes = MAX_DIFF_BYTES,
  }: { readonly paths?: readonly string[]; readonly maxBytes?: number } = {},
): Promise<string> {
  const args = [
    "diff",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--no-renames",
    base,
    tree,
    "--",
  ];
  const literal = paths.map((path) => `:(literal,top)${path}`);
  const { stdout } = await runGit(root, [...args, ...literal], { truncateAt: maxBytes });
  return Buffer.byteLength(stdout) < maxBytes
    ? stdout
    : `${stdout}\n… (diff cut at ${maxBytes} bytes)\n`;
}

/** Binary files count as none. */
export async function countLines(
  top: string,
  from: string,
  to: string,
): Promise<{ readonly files: number; readonly added: number; readonly removed: number }> {
  const listed = await git(top, [
    "diff",
    "--numstat",
    "--no-renames",
    "--no-ext-diff",
    "-z",
    from,
    to,
  ]);
  const lines = listed.split("\0").filter((line) => line !== "");
  let [added, removed] = [0, 0];
  for (const line of lines) {
    const [plus = "", minus = ""] = line.split("\t");
    added += Number.parseInt(plus, 10) || 0;
    removed += Number.parseInt(minus, 10) || 0;
  }
  return { files: lines.length, added, removed };
}
