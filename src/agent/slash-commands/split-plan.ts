import { fence } from "../documents/fence.ts";
import type { SlashCommandContext } from "../ports/slash-command.ts";
import { describeDrafts, taskLine } from "../tasks/describe-task.ts";
import { parseTaskList } from "../tasks/parse-task-list.ts";
import { findPlan, type Plan } from "../tasks/plan-store.ts";
import { addTasks, planIdOf, readTasks, type Task, type TaskDraft } from "../tasks/task-store.ts";
import { readOnlyTools } from "../tools/read-only-tools.ts";
import { draftUntilAccepted } from "./draft-until-accepted.ts";

/** Splits plan `args` under `guide`; afterwards the thread is empty and has its own prompt again. */
export async function splitPlan(
  context: SlashCommandContext,
  args: string,
  guide: string,
): Promise<void> {
  const { dialogue, projectRoot } = context;
  const plan = await findPlan(projectRoot, args);
  const existing = (await readTasks(projectRoot)).filter((task) => planIdOf(task) === plan.id);
  if (existing.length > 0) {
    dialogue.info(
      `Plan ${plan.id} has ${existing.length} tasks already; new ones are added to them.`,
    );
  }
  const request = requestFor(plan, existing);
  const drafts = await onEmptyThread(context, () => draftTasks(context, request, guide));
  if (drafts === undefined) return;
  const tasks = await addTasks({ projectRoot, planId: plan.id, drafts, clock: context.clock });
  const [first, last] = [tasks[0]?.id, tasks.at(-1)?.id];
  const ids = first === last ? `Task ${first}` : `Tasks ${first} to ${last}`;
  dialogue.success(`${ids} of plan ${plan.id} saved. The conversation was cleared.`);
}

function requestFor(plan: Plan, existing: readonly Task[]): string {
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
