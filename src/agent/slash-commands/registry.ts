import { access } from "node:fs/promises";
import { join } from "node:path";
import type { SlashCommand } from "../ports/slash-command.ts";
import { explainLine, formatExplanation } from "../why/why-line.ts";
import { createDiff, loadChanges } from "../worktrees/changes.ts";
import { mergeWorktree, planMerge } from "../worktrees/merge.ts";
import { conflicts } from "./conflicts.ts";
import { consolidate } from "./consolidate.ts";
import { createSkill, createSubagent, skills } from "./create-skill.ts";
import { help } from "./help.ts";
import { mcp } from "./mcp.ts";
import { effort, model } from "./model.ts";
import { plan, planExit } from "./plan.ts";
import { plans, plansMicrosplit, plansRun, plansSplit } from "./plans.ts";
import { forget, keep, recall, remember } from "./remember.ts";
import { choose } from "./review.ts";
import { exportCommand, fork, rename, resume, sessions } from "./sessions.ts";
import { tasks, tasksAdd, tasksRm, tasksRun } from "./tasks.ts";
import { redo, undo } from "./undo.ts";
import { wrong } from "./wrong.ts";

const writeAgentsFile = `This project has no AGENTS.md. Explore the project, then write one at its root with \`write\`.

It tells an agent that is new to the project what is not obvious: the purpose of the project, how to build, test and run it (exact commands; try the cheap ones), the layout of the code, the conventions that the code follows, and pitfalls. At most one page, no generic advice, and nothing that you have not verified.

End with one sentence that summarizes what you wrote.`;

const init: SlashCommand = {
  name: "init",
  summary: "Reload instructions; write AGENTS.md if missing",
  async run({ thread, dialogue, projectRoot, signal }) {
    await thread.reloadSystemPrompt();
    const agentsFile = join(projectRoot, "AGENTS.md");
    if (await exists(agentsFile)) {
      dialogue.success("Instructions reloaded.");
      return;
    }
    const turn = await thread.runTurn(writeAgentsFile, { consents: [agentsFile] });
    signal.throwIfAborted();
    if (turn.outcome !== "completed") return;
    if (!(await exists(agentsFile))) {
      dialogue.error("The agent did not write AGENTS.md.", "not_found");
      return;
    }
    await thread.reloadSystemPrompt();
    dialogue.success("AGENTS.md written and loaded.");
  },
};

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

const CHOICES = [
  { key: "y", label: "merge" },
  { key: "n", label: "not now" },
];

const worktree: SlashCommand = {
  name: "worktree",
  summary: "Review the changes of this worktree and merge them",
  exact: true,
  async run({ dialogue, worktree: present, projectRoot }) {
    if (present === undefined) {
      dialogue.info(
        `This is the project itself: ${projectRoot}. \`cairn --worktree\` works in a worktree.`,
      );
      return;
    }
    const { tree, changes } = await loadChanges(present);
    if (changes.length === 0) {
      dialogue.info(`Nothing changed in the worktree "${present.name}".`);
      return;
    }
    dialogue.print(await createDiff(present, tree));
    const files = changes.length === 1 ? "1 file" : `${changes.length} files`;
    const answer = await choose(dialogue, `Merge ${files} into ${present.project}?`, CHOICES);
    if (!/^y(es)?$/i.test(answer.trim())) return dialogue.info("Nothing was merged.");
    const plan = await planMerge(present);
    await mergeWorktree(present, plan);
    dialogue.success(`Merged ${files} into ${present.project}; nothing is committed.`);
  },
};

const handover: SlashCommand = {
  name: "handover",
  argument: { name: "prompt" },
  summary: "Summarize the conversation and continue from the summary",
  async run({ thread, dialogue }, args) {
    if (thread.messageCount === 0) {
      dialogue.info("There is no conversation to hand over yet.");
      return;
    }
    if (args !== "") {
      await thread.runTurn(args, { expandMentions: true, afresh: true });
      return;
    }
    const result = await thread.handover();
    if (result.outcome === "completed") dialogue.success("Continuing from the summary.");
  },
};

const clear: SlashCommand = {
  name: "clear",
  summary: "Start a new session and reload the instructions",
  async run({ thread, dialogue }) {
    const hadMessages = thread.messageCount > 0;
    await thread.clearHistory();
    await thread.reloadSystemPrompt();
    const stored = hadMessages ? " The earlier one is in /sessions." : "";
    dialogue.success(`The conversation was cleared.${stored}`);
  },
};

const why: SlashCommand = {
  name: "why",
  argument: { name: "file:line", required: "Name a line, such as src/pay.ts:12" },
  summary: "Show the session, prompt, decision and commit behind a line",
  immediate: true,
  async run(context, args) {
    context.dialogue.print(formatExplanation(await explainLine(context, args)));
  },
};

export const slashCommands: readonly SlashCommand[] = [
  help,
  clear,
  model,
  effort,
  handover,
  undo,
  redo,
  init,
  remember,
  keep,
  wrong,
  forget,
  recall,
  why,
  conflicts,
  consolidate,
  plan,
  planExit,
  plans,
  plansSplit,
  plansMicrosplit,
  plansRun,
  tasks,
  tasksAdd,
  tasksRun,
  worktree,
  tasksRm,
  mcp,
  skills,
  createSkill,
  createSubagent,
  sessions,
  resume,
  fork,
  rename,
  exportCommand,
];
