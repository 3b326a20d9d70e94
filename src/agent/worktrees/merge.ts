import { join } from "node:path";
import { invalidInput, stateConflict } from "../../shared/errors.ts";
import { disableFilters } from "../../shared/safe-git.ts";
import type { Worktree } from "../ports/worktree.ts";
import { compareTrees, loadChanges, type TreeEntryChange } from "./changes.ts";
import { git, runGit, tryGit } from "./git.ts";
import { type FileWrite, finishMerge, replaceFiles } from "./replace-files.ts";
import { commitTree, snapshot } from "./worktree.ts";

export interface MergeSelection {
  readonly leave?: readonly string[];
  readonly only?: readonly string[];
}

export interface MergePlan {
  readonly writes: readonly FileWrite[];
  /** Changed files that the selection leaves in the worktree. */
  readonly left: readonly string[];
  readonly top: string;
  readonly conflicts: readonly string[];
}

/**
 * Merges the worktree's changes with the project's current files and returns what would be written.
 * Throws `invalid_input` for a selection that matches nothing.
 */
export async function planMerge(
  worktree: Worktree,
  selection: MergeSelection = {},
): Promise<MergePlan> {
  const { project, root, base, folder } = worktree;
  await finishMerge(folder);
  const top = await tryGit(project, ["rev-parse", "--show-toplevel"]);
  if (top === undefined) throw stateConflict(`merge: ${project} is no longer in a git repository.`);
  const { changes } = await loadChanges(worktree);
  for (const path of [...(selection.leave ?? []), ...(selection.only ?? [])]) {
    if (changes.some((change) => isWithin(change.path, path))) continue;
    throw invalidInput(
      `merge: "${path}" matches no changed file. \`cairn worktree show ${worktree.name}\` lists them.`,
    );
  }
  const chosen = changes.filter(({ path }) => isChosen(path, selection));
  const left = changes.filter((change) => !chosen.includes(change)).map(({ path }) => path);
  const submodule = chosen.find(({ oldMode, newMode }) => [oldMode, newMode].includes("160000"));
  if (submodule !== undefined) {
    throw stateConflict(
      `merge: "${submodule.path}" is a submodule or a nested repository. Update it in the project with git, and leave it out: --leave ${submodule.path}`,
    );
  }
  const mine = await snapshot(top, join(folder, "project-index"));
  const theirs = await addChanges(root, {
    base,
    changes: chosen,
    index: join(folder, "merge-index"),
  });
  const [oursCommit, theirsCommit] = [
    await commitTree(top, mine, [base], "project"),
    await commitTree(top, theirs, [base], "worktree"),
  ];
  const { code, stdout } = await runGit(
    top,
    ["merge-tree", "--write-tree", "--name-only", "--no-messages", "-z", oursCommit, theirsCommit],
    { config: await disableFilters(top), allowedCodes: [0, 1] },
  );
  const [merged = "", ...names] = stdout.split("\0");
  const conflicts = code === 0 ? [] : [...new Set(names.filter((name) => name !== ""))];
  const entries = code === 0 ? await compareTrees(top, mine, merged) : [];
  const writes: FileWrite[] = [];
  for (const entry of entries) {
    const isLink = entry.newMode === "120000";
    writes.push(
      isLink ? { ...entry, linkText: await git(top, ["cat-file", "blob", entry.newId]) } : entry,
    );
  }
  return { writes, left, top, conflicts };
}

/**
 * Writes the merged files into the project. Throws `conflict` if both sides changed the same lines.
 */
export async function mergeWorktree(worktree: Worktree, plan: MergePlan): Promise<void> {
  if (plan.conflicts.length > 0) {
    throw stateConflict(
      `Nothing was merged: both sides changed ${plan.conflicts.join(", ")}. Leave these files out with --leave, or merge the branch cairn/${worktree.name} with git.`,
    );
  }
  await replaceFiles(worktree.folder, plan.top, plan.writes);
}

async function addChanges(
  top: string,
  {
    base,
    changes,
    index,
  }: {
    readonly base: string;
    readonly changes: readonly TreeEntryChange[];
    readonly index: string;
  },
): Promise<string> {
  await git(top, ["read-tree", base], { index });
  const lines = changes.map(
    ({ path, newMode, newId }) => `${newMode === "000000" ? "0" : newMode} ${newId}\t${path}\0`,
  );
  await git(top, ["update-index", "-z", "--index-info"], { index, input: lines.join("") });
  return (await git(top, ["write-tree"], { index })).trim();
}

function isChosen(path: string, { leave = [], only }: MergeSelection): boolean {
  if (leave.some((one) => isWithin(path, one))) return false;
  return only === undefined || only.some((one) => isWithin(path, one));
}

function isWithin(path: string, selected: string): boolean {
  const requested = selected.replace(/\/+$/, "");
  return path === requested || path.startsWith(`${requested}/`);
}
