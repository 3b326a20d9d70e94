import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { CairnError, invalidInput, stateConflict } from "../../shared/errors.ts";
import type { ProjectCopy } from "../ports/project-copy.ts";
import { type CopyChange, textOf } from "./copy-changes.ts";
import type { FileState } from "./file-state.ts";
import { type MergeWish, type PlannedWrite, planMerge } from "./plan-merge.ts";
import { type GitInput, safeGit, safeGitBytes } from "./safe-git.ts";

/** A commit that is in the repository, and on no branch yet. */
export interface MadeCommit {
  readonly commit: string;
  /** What it comes after: the commit at which the project is. */
  readonly parent: string;
  /** What the index says of each file that it changes. */
  readonly entries: readonly IndexEntry[];
}

export interface IndexEntry {
  readonly path: string;
  readonly mode: string;
  /** Zeros: it is gone. */
  readonly object: string;
}

const MODES = { file: "100644", program: "100755", link: "120000" } as const;

/**
 * What was done in a copy as a commit after the one at which the project is: neither files nor index nor
 * branches of the project are touched, and what is not committed there is no part of it. Bytes go in as
 * they are: no filter runs, and a file that would need one is refused. Throws conflict, invalid_input.
 */
export async function commitCopy(
  copy: ProjectCopy,
  { message, ...wish }: MergeWish & { readonly message: string },
): Promise<MadeCommit | undefined> {
  const { project } = copy;
  const parent = await requireCommit(project);
  const plan = await planMerge(copy, wish, {
    stateOf: (path) => committedState(project, parent, path),
    fit: withLineEndsOf,
  });
  if (plan.conflicts.length > 0) {
    const list = plan.conflicts.map(({ path, reason }) => `${path}: ${reason}`).join("\n");
    throw stateConflict(
      `Nothing was committed, since the last commit has the same otherwise:\n${list}`,
    );
  }
  if (plan.writes.length === 0) return undefined;
  await refuseFilters(project, plan.writes);
  const entries = await Promise.all(plan.writes.map((write) => entryOf(project, parent, write)));
  const folder = await mkdtemp(join(tmpdir(), "cairn-index-"));
  try {
    const index = join(folder, "index");
    await run(project, ["read-tree", parent], { index });
    await run(project, INDEX_INFO, { index, input: indexInfo(entries) });
    const tree = await run(project, ["write-tree"], { index });
    const commit = await run(project, ["commit-tree", tree, "-p", parent, "-F", "-"], {
      input: message.endsWith("\n") ? message : `${message}\n`,
    });
    return { commit, parent, entries };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export const INDEX_INFO = ["update-index", "-z", "--index-info"];

export function indexInfo(entries: readonly IndexEntry[]): string {
  return entries.map(({ mode, object, path }) => `${mode} ${object}\t${path}\0`).join("");
}

async function requireCommit(project: string): Promise<string> {
  const top = (await safeGit(project, ["rev-parse", "--show-toplevel"]))?.trim();
  const head = (await safeGit(project, ["rev-parse", "--verify", "HEAD^{commit}"]))?.trim();
  if (top === undefined || head === undefined) {
    throw invalidInput(
      `${project} is in no git repository with a commit: take it over as changes.`,
    );
  }
  if (resolve(top) === resolve(project)) return head;
  throw invalidInput(
    `${project} is a part of the repository ${top}: take it over as changes, and commit them there.`,
  );
}

/** What the commit says of a path. */
async function committedState(project: string, commit: string, path: string): Promise<FileState> {
  const listed = await safeGit(project, ["ls-tree", "-z", commit, "--", path]);
  const [, mode = "", type, object = ""] = /^(\d+) (\w+) ([0-9a-f]+)\t/.exec(listed ?? "") ?? [];
  if (mode === "") return { kind: "none" };
  if (type !== "blob") return { kind: "other" };
  const content = await safeGitBytes(project, ["cat-file", "blob", object]);
  if (content === undefined) throw gitSaysNo(["cat-file", object]);
  if (mode === MODES.link) return { kind: "link", target: content.toString("utf8") };
  return { kind: "file", content, isProgram: mode === MODES.program };
}

/** Git may keep other line ends than the files have: what it keeps is what is committed. */
function withLineEndsOf(change: CopyChange, now: FileState): CopyChange {
  const [committed, before] = [textOf(now), textOf(change.base)];
  if (committed === undefined || before === undefined) return change;
  if (now.kind !== "file" || committed.includes("\r\n") || !before.includes("\r\n")) return change;
  return { ...change, base: withoutReturns(change.base), copy: withoutReturns(change.copy) };
}

function withoutReturns(state: FileState): FileState {
  const text = state.kind === "file" ? textOf(state) : undefined;
  if (state.kind !== "file" || text === undefined) return state;
  return { ...state, content: Buffer.from(text.replaceAll("\r\n", "\n")) };
}

async function refuseFilters(project: string, writes: readonly PlannedWrite[]): Promise<void> {
  const input = writes.map(({ path }) => `${path}\0`).join("");
  const said = await run(project, ["check-attr", "-z", "--stdin", "filter"], { input });
  const words = said.split("\0");
  for (let at = 0; at + 2 < words.length; at += 3) {
    const [path, , filter = ""] = words.slice(at, at + 3);
    if (filter === "unspecified" || filter === "unset" || filter === "") continue;
    throw stateConflict(
      `${path} goes through the filter "${filter}" of git, which cairn does not run: take it over as a change, and commit it yourself.`,
    );
  }
}

async function entryOf(
  project: string,
  parent: string,
  { path, to }: PlannedWrite,
): Promise<IndexEntry> {
  if (to.kind !== "file" && to.kind !== "link") {
    return { path, mode: "0", object: "0".repeat(parent.length) };
  }
  const input = to.kind === "link" ? Buffer.from(to.target) : to.content;
  const object = await run(project, ["hash-object", "-w", "--no-filters", "--stdin"], { input });
  if (to.kind === "link") return { path, mode: MODES.link, object };
  return { path, mode: to.isProgram ? MODES.program : MODES.file, object };
}

async function run(
  project: string,
  args: readonly string[],
  input: GitInput = {},
): Promise<string> {
  const said = await safeGit(project, args, input);
  if (said === undefined) throw gitSaysNo(args);
  return args[0] === "check-attr" ? said : said.trim();
}

export function gitSaysNo([command = ""]: readonly string[]): CairnError {
  const cure =
    command === "commit-tree" ? ' Say who you are: git config user.name "…", user.email.' : "";
  return new CairnError("conflict", `git ${command} failed, so nothing was committed.${cure}`);
}
