import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { CairnError, stateConflict } from "../../shared/errors.ts";
import type { ProjectCopy } from "../ports/project-copy.ts";
import { commitCopy, gitSaysNo, INDEX_INFO, indexInfo, type MadeCommit } from "./commit-tree.ts";
import { mergeCopy } from "./merge-copy.ts";
import { type MergePlan, type MergeWish, planMerge } from "./plan-merge.ts";
import { safeGit } from "./safe-git.ts";

export interface CommitWish extends MergeWish {
  readonly message: string;
}

/**
 * Takes over what was done in a copy as one commit on the branch at which the project is. What the
 * person has changed and not committed stays as it is, and stays out of the commit. Throws conflict where
 * both sides changed the same, or something of these files waits in the index; nothing is done then.
 */
export async function mergeAsCommit(
  copy: ProjectCopy,
  wish: CommitWish,
): Promise<string | undefined> {
  const { project } = copy;
  await refuseHalfDone(project);
  const plan = await planMerge(copy, wish);
  const made = await commitCopy(copy, wish);
  if (made === undefined) return undefined;
  await refuseStaged(project, made);
  mergeCopy(copy, plan);
  await moveBranch(project, made, plan);
  return made.commit;
}

/** Puts it on a branch of its own that is not checked out; again where it is there already. */
export async function commitOnBranch(
  copy: ProjectCopy,
  { branch, ...wish }: CommitWish & { readonly branch: string },
): Promise<string | undefined> {
  const { project } = copy;
  const ref = `refs/heads/${branch}`;
  const there = (await safeGit(project, ["rev-parse", "-q", "--verify", ref]))?.trim();
  const made = await commitCopy(copy, wish);
  if (made === undefined) return undefined;
  if (there !== undefined) {
    if (await isSame(project, there, made)) return there;
    throw stateConflict(`There is a branch "${branch}" already, with something else on it.`);
  }
  const none = "0".repeat(made.commit.length);
  const moved = await safeGit(project, ["update-ref", "-m", "cairn", ref, made.commit, none]);
  if (moved === undefined) throw gitSaysNo(["update-ref"]);
  return made.commit;
}

async function isSame(project: string, there: string, { commit, parent }: MadeCommit) {
  const of = async (name: string) => (await safeGit(project, ["rev-parse", name]))?.trim();
  const [tree, wanted, before] = await Promise.all([
    of(`${there}^{tree}`),
    of(`${commit}^{tree}`),
    of(`${there}^`),
  ]);
  return tree === wanted && before === parent;
}

const HALF_DONE = ["MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply"];

async function refuseHalfDone(project: string): Promise<void> {
  for (const name of HALF_DONE) {
    const path = (await safeGit(project, ["rev-parse", "--git-path", name]))?.trim();
    if (path !== undefined && existsSync(resolve(project, path))) {
      throw stateConflict("A merge or rebase is under way in the project: end it first.");
    }
  }
}

async function refuseStaged(project: string, { entries, parent }: MadeCommit): Promise<void> {
  const paths = entries.map(({ path }) => `:(literal)${path}`);
  const staged = await stagedOf(project, parent, paths);
  const [first] = staged.split("\0");
  if (first === "" || first === undefined) return;
  throw stateConflict(`${first} waits in the index to be committed: commit or unstage it first.`);
}

/** A command line takes so many names. */
const NAMES_AT_ONCE = 200;

async function stagedOf(project: string, parent: string, paths: readonly string[]) {
  let found = "";
  for (let at = 0; at < paths.length; at += NAMES_AT_ONCE) {
    const some = paths.slice(at, at + NAMES_AT_ONCE);
    const args = ["diff-index", "--cached", "--name-only", "-z", parent, "--", ...some];
    found += (await safeGit(project, args)) ?? "";
  }
  return found;
}

async function moveBranch(project: string, made: MadeCommit, { writes }: MergePlan): Promise<void> {
  const { commit, parent, entries } = made;
  const moved = await safeGit(project, [
    "update-ref",
    "-m",
    "cairn: merge",
    "HEAD",
    commit,
    parent,
  ]);
  if (moved === undefined) {
    throw new CairnError(
      "conflict",
      `${writes.length} files were taken over and not committed: the branch was moved meanwhile. Commit them yourself.`,
    );
  }
  const noted = await safeGit(project, INDEX_INFO, { input: indexInfo(entries) });
  if (noted !== undefined) return;
  throw new CairnError(
    "conflict",
    `It is committed (${commit.slice(0, 10)}), and git's index could not be written: run \`git reset\` to have it say so.`,
  );
}
