import { dirname, isAbsolute, join, relative } from "node:path";
import type { Worktree } from "../../agent/index.ts";
import { invalidInput } from "../../shared/errors.ts";
import { isInside } from "../../shared/is-inside.ts";
import { didYouMean } from "../../shared/nearest.ts";
import { physicalPath, showPath, withTarget } from "../../shared/physical-path.ts";
import { showControl, showControlLine } from "../../shared/text.ts";
import type { CliCommand } from "../cli-command.ts";
import type { CommandLine } from "../command-line.ts";
import { confirm, projectLocation } from "../command-line.ts";
import { EXIT } from "../exit-code.ts";

type Options = Readonly<Record<string, unknown>>;

const USAGE = {
  list: "list",
  show: "show NAME",
  merge: "merge NAME [--leave PATH] [--only PATH]",
  discard: "discard NAME",
} as const;
const ACTIONS = Object.keys(USAGE) as (keyof typeof USAGE)[];

export const worktree: CliCommand = {
  name: "worktree",
  reader: "person",
  summary: "List, show, merge or discard worktrees of the agent",
  group: "Agent",
  example:
    "cairn --worktree try\ncairn worktree list\ncairn worktree show try\ncairn worktree merge try --leave src/a.ts\ncairn worktree discard try",
  configure(command) {
    command
      .argument("<action>", ACTIONS.join(", "))
      .argument("[name]", "name of the worktree")
      .option("--leave <path>", "merge: exclude a file or folder; repeatable", collectValue)
      .option("--only <path>", "merge: only this file or folder; repeatable", collectValue)
      .option("-y, --yes", "merge, discard: skip the confirmation");
  },
  async run(line, [action = "", name, ...more], options) {
    const known = ACTIONS.find((one) => one === action);
    if (known === undefined) {
      throw invalidInput(`worktree: "${action}" is not an action.${didYouMean(action, ACTIONS)}`);
    }
    if (more.length > 0 || (known !== "list" && name === undefined)) {
      throw invalidInput(`worktree: use cairn worktree ${USAGE[known]}`);
    }
    if (known !== "merge" && (options.leave ?? options.only) !== undefined) {
      throw invalidInput(`worktree ${known}: --leave and --only are options of merge.`);
    }
    const { dataDir, project } = await projectLocation(line, options);
    if (known === "list") return listAll(line, { dataDir, project }, options);
    const { findWorktree, finishMerge } = await import("../../agent/index.ts");
    const found = findWorktree(dataDir, project, name ?? "");
    await finishMerge(found.folder);
    if (known === "show") return showChanges(line, found, options);
    return known === "merge"
      ? mergeChanges(line, found, options)
      : discardWorktree(line, found, options);
  },
};

async function listAll(
  line: CommandLine,
  { dataDir, project }: { readonly dataDir: string; readonly project: string },
  { json }: Options,
): Promise<undefined> {
  const { loadChanges: getChanges, listWorktrees } = await import("../../agent/index.ts");
  const worktrees: {
    name: string;
    created_at: string;
    path: string;
    branch: string;
    changed_files: number;
  }[] = [];
  for (const one of listWorktrees(dataDir, project)) {
    worktrees.push({
      ...{ name: one.name, created_at: one.createdAt, path: one.tree, branch: `cairn/${one.name}` },
      changed_files: (await getChanges(one)).changes.length,
    });
  }
  if (json === true) line.stdout.write(`${JSON.stringify({ worktrees })}\n`);
  else if (worktrees.length === 0) {
    line.stdout.write("No worktrees. `cairn --worktree` creates one.\n");
  } else {
    for (const { name, created_at: at, path, changed_files: count } of worktrees) {
      line.stdout.write(
        `${name}  ${at.slice(0, 16)}Z  ${formatFiles(count)} changed  ${showControl(path)}\n`,
      );
    }
  }
  return undefined;
}

async function showChanges(
  line: CommandLine,
  found: Worktree,
  { json }: Options,
): Promise<undefined> {
  const { loadChanges: getChanges, createDiff: getDiff } = await import("../../agent/index.ts");
  const { tree, changes } = await getChanges(found);
  const diff = await getDiff(found, tree);
  if (json === true) {
    const changed = changes.map(({ path, kind }) => ({ path, kind }));
    line.stdout.write(
      `${JSON.stringify({ name: found.name, path: found.tree, files: changed, diff })}\n`,
    );
  } else if (changes.length === 0) line.stdout.write("Nothing changed.\n");
  else line.stdout.write(`${diff.split("\n").map(showControl).join("\n")}\n`);
  return undefined;
}

async function mergeChanges(
  line: CommandLine,
  found: Worktree,
  options: Options,
): Promise<number | undefined> {
  const { isAutoRun, mergeWorktree, planMerge } = await import("../../agent/index.ts");
  const plan = await planMerge(found, {
    ...(Array.isArray(options.leave) && { leave: options.leave.map(String) }),
    ...(Array.isArray(options.only) && { only: options.only.map(String) }),
  });
  if (plan.conflicts.length === 0 && options.json !== true) {
    for (const { path, newMode, linkText } of plan.writes) {
      const later = isAutoRun(path) ? "  (other programs run this later: review it)" : "";
      const target = linkText === undefined ? path : linkTarget(plan.top, path, linkText);
      const displayPath = showControlLine(withTarget(path, { named: path, real: target }));
      line.stderr.write(`${newMode === "000000" ? "remove" : "write"} ${displayPath}${later}\n`);
    }
  }
  const into = showPath(found.project, { root: "/" });
  const question = `Merge ${formatFiles(plan.writes.length)} into ${into}?`;
  const mustAsk = plan.conflicts.length === 0 && plan.writes.length > 0;
  if (mustAsk && !(await confirmAction(line, options, question))) return EXIT.failed;
  await mergeWorktree(found, plan);
  const merged = plan.writes.map(({ path }) => path);
  const text =
    merged.length === 0
      ? "Nothing to merge."
      : `Merged ${formatFiles(merged.length)}; nothing is committed. Discard the worktree with: cairn worktree discard ${found.name}`;
  line.stdout.write(
    options.json === true ? `${JSON.stringify({ merged, left: plan.left })}\n` : `${text}\n`,
  );
  return undefined;
}

/** Relative to `top` if it is inside; links in the project are followed. */
function linkTarget(top: string, path: string, text: string): string {
  const root = physicalPath(top);
  const target = physicalPath(isAbsolute(text) ? text : `${join(root, dirname(path))}/${text}`);
  return isInside(root, target) ? relative(root, target) || "." : target;
}

async function discardWorktree(
  line: CommandLine,
  found: Worktree,
  options: Options,
): Promise<number | undefined> {
  const { loadChanges: getChanges, removeWorktree } = await import("../../agent/index.ts");
  const count = (await getChanges(found)).changes.length;
  const question = `Discard "${found.name}" with ${formatFiles(count)} changed? This cannot be undone.`;
  if (count > 0 && !(await confirmAction(line, options, question))) return EXIT.failed;
  await removeWorktree(found);
  const text =
    options.json === true ? JSON.stringify({ name: found.name }) : `Discarded "${found.name}".`;
  line.stdout.write(`${text}\n`);
  return undefined;
}

async function confirmAction(
  line: CommandLine,
  { yes }: Options,
  question: string,
): Promise<boolean> {
  if (yes === true) return true;
  if (line.stdin.isTTY !== true)
    throw invalidInput(`--yes is required without a terminal. ${question}`);
  if (await confirm(line, question)) return true;
  line.stderr.write("Nothing was changed.\n");
  return false;
}

function formatFiles(count: number): string {
  return count === 1 ? "1 file" : `${count} files`;
}

function collectValue(value: string, former: readonly string[] = []): readonly string[] {
  return [...former, value];
}
