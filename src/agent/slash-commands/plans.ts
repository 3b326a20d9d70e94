import { invalidInput } from "../../shared/errors.ts";
import { fence } from "../documents/fence.ts";
import type { SlashCommand, SlashCommandContext } from "../ports/slash-command.ts";
import { implementGuide } from "../tasks/implement.prompt.ts";
import { implementTasks } from "../tasks/implement-tasks.ts";
import { parseTaskList } from "../tasks/parse-task-list.ts";
import { passGates } from "../tasks/pass-gates.ts";
import {
  findPlan,
  formatContextSection,
  hookVariables,
  type Plan,
  readPlans,
} from "../tasks/plan-store.ts";
import {
  addTasks,
  describeDrafts,
  parsePlanId,
  readTasks,
  type Task,
  type TaskDraft,
  taskLine,
} from "../tasks/task-store.ts";
import { readOnlyTools } from "../tools/read-only-tools.ts";
import { unknownSubcommand } from "./command-words.ts";
import { draftUntilAccepted } from "./review.ts";

const splitPlanGuide = `# Now: split a plan into tasks

Read the code that the plan affects; your tools are read-only. Then reply with the tasks and nothing else, as a Markdown list in execution order:

- [ ] Name of the task: what to do and why, in one or two sentences
  - Files: path/one, path/two
  - Acceptance criteria:
    - a verifiable statement

Each task leaves the project working, can be completed and verified on its own, and is understandable without the others. Use as few tasks as possible. If the user requests changes, reply with the complete new list.`;

const microsplitPlanGuide = `# Now: split a plan into very small tasks

A small model completes them and sees only one task at a time. Read the code that the plan affects; your tools are read-only. Then reply with JSON and nothing else, with tasks in execution order:

[{"name": "…", "description": "…", "relatedFiles": ["path"], "acceptanceCriteria": ["…"], "codeContext": "…"}]

- Each task is one small change in one or two files and leaves the project working.
- description: every step, with the names of functions, types and files; leave no decision open.
- codeContext: one text with the required code: signatures, types, the lines to change, a similar example nearby, each with its path.

If the user requests changes, reply with the complete new list.`;

export const plansMicrosplit: SlashCommand = {
  name: "plans microsplit",
  argument: { name: "id", required: "Give the number of the plan" },
  summary: "Split a plan into small tasks with code, for a small model",
  run: (context, args) => splitPlan(context, args, microsplitPlanGuide),
};

export const plansSplit: SlashCommand = {
  name: "plans split",
  argument: { name: "id", required: "Give the number of the plan" },
  summary: "Split a plan into tasks and clear the conversation",
  run: (context, args) => splitPlan(context, args, splitPlanGuide),
};

export const plansRun: SlashCommand = {
  name: "plans run",
  argument: { name: "id", required: "Give the number of the plan" },
  summary: "Implement the open tasks of a plan",
  terminalOnly: true,
  async run(context, args) {
    const { dialogue, projectRoot } = context;
    const plan = await findPlan(projectRoot, args);
    const belongsToPlan = (task: Pick<Task, "id">) => parsePlanId(task) === plan.id;
    if (!(await readTasks(projectRoot)).some(belongsToPlan)) {
      throw invalidInput(`Plan ${plan.id} has no tasks yet: /plans split ${plan.id} creates them.`);
    }
    if (!(await implementTasks(context, { plan, belongs: belongsToPlan }))) return;
    if (await passPlanGates(context, plan))
      dialogue.success(`Plan ${plan.id} is done: ${plan.name}`);
  },
};

/** Repairs run on an empty history. */
async function passPlanGates(context: SlashCommandContext, plan: Plan): Promise<boolean> {
  const siblings = (await readTasks(context.projectRoot)).filter(
    (task) => parsePlanId(task) === plan.id,
  );
  const systemAddition = `${implementGuide}\n\n${formatContextSection({ plan, siblings })}`;
  const result = await context.thread.withSeparateHistory(() =>
    passGates(context, { hook: "planDone", variables: hookVariables(plan), systemAddition }),
  );
  if (result.kind === "failed") {
    context.dialogue.error(
      `All tasks of plan ${plan.id} are done, but it was not accepted. ${result.reason}`,
      "plan_failed",
    );
  }
  return result.kind === "passed";
}

export const plans: SlashCommand = {
  name: "plans",
  argument: { name: "id" },
  summary: "List the plans, or show one",
  async run({ dialogue, projectRoot }, args) {
    const tasks = await readTasks(projectRoot);
    if (/^\d+$/.test(args)) {
      dialogue.print(describePlan(await findPlan(projectRoot, args), tasks));
      return;
    }
    if (args !== "") throw unknownSubcommand("plans", args, ["split", "microsplit", "run"]);
    const all = await readPlans(projectRoot);
    if (all.length === 0) dialogue.info("There are no plans yet. /plan creates one.");
    else dialogue.print(all.map((plan) => planLine(plan, tasks)).join("\n"));
  },
};

function planLine(plan: Plan, tasks: readonly Task[]): string {
  const own = tasks.filter((task) => parsePlanId(task) === plan.id);
  const done = own.filter((task) => task.status === "done").length;
  const state = own.length === 0 ? "no tasks yet" : `${done} of ${own.length} tasks done`;
  return `${plan.id}  ${plan.name} (${state}): ${plan.description}`;
}

function describePlan(plan: Plan, tasks: readonly Task[]): string {
  const own = tasks.filter((task) => parsePlanId(task) === plan.id).map(taskLine);
  const list = own.length === 0 ? [] : ["", ...own];
  return [`${plan.id}  ${plan.name}`, plan.description, "", plan.approach, ...list].join("\n");
}

async function splitPlan(context: SlashCommandContext, args: string, guide: string): Promise<void> {
  const { dialogue, projectRoot } = context;
  const plan = await findPlan(projectRoot, args);
  const existing = (await readTasks(projectRoot)).filter((task) => parsePlanId(task) === plan.id);
  if (existing.length > 0) {
    dialogue.info(
      `Plan ${plan.id} has ${existing.length} tasks already; new ones are added to them.`,
    );
  }
  const request = formatRequest(plan, existing);
  const drafts = await onEmptyThread(context, () => draftTasks(context, request, guide));
  if (drafts === undefined) return;
  const tasks = await addTasks({ projectRoot, planId: plan.id, drafts, clock: context.clock });
  const [first, last] = [tasks[0]?.id, tasks.at(-1)?.id];
  const ids = first === last ? `Task ${first}` : `Tasks ${first} to ${last}`;
  dialogue.success(`${ids} of plan ${plan.id} saved. The conversation was cleared.`);
}

function formatRequest(plan: Plan, existing: readonly Task[]): string {
  const document = `${plan.name}\n${plan.description}\n\n${plan.approach}`;
  const request = `Split plan ${plan.id} into tasks.\n\n${fence("plan", document)}`;
  if (existing.length === 0) return request;
  const lines = existing.map((task) => `${taskLine(task)}: ${task.description}`).join("\n");
  return `${request}\n\nThe plan has these tasks already ([x] is done). Name only what they leave out; yours are added to them.\n\n${fence("tasks", lines)}`;
}

function draftTasks(
  context: SlashCommandContext,
  request: string,
  guide: string,
): Promise<readonly TaskDraft[] | undefined> {
  return draftUntilAccepted<readonly TaskDraft[]>(context, {
    request,
    turn: { tools: readOnlyTools(context.settings), systemAddition: guide },
    words: { accept: "save", revise: "revise" },
    parse: parseTaskList,
    preview: describeDrafts,
  });
}

async function onEmptyThread<Result>(
  { thread }: SlashCommandContext,
  body: () => Promise<Result>,
): Promise<Result> {
  await thread.clearHistory();
  try {
    return await body();
  } finally {
    await thread.clearHistory();
    await thread.reloadSystemPrompt();
  }
}
