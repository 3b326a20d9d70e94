import { fence } from "../documents/fence.ts";
import type { SlashCommandContext } from "../ports/slash-command.ts";
import { describeDrafts } from "../tasks/describe-task.ts";
import { parseTaskList } from "../tasks/parse-task-list.ts";
import { findPlan, type Plan } from "../tasks/plan-store.ts";
import { addTasks, planIdOf, readTasks, type TaskDraft } from "../tasks/task-store.ts";
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
  await sayWhatThereIs(context, plan);
  const drafts = await onEmptyThread(context, () => draftTasks(context, plan, guide));
  if (drafts === undefined) return;
  const tasks = await addTasks({ projectRoot, planId: plan.id, drafts, clock: context.clock });
  const [first, last] = [tasks[0]?.id, tasks.at(-1)?.id];
  const ids = first === last ? `Task ${first}` : `Tasks ${first} to ${last}`;
  dialogue.success(`${ids} of plan ${plan.id} saved. The conversation was cleared.`);
}

async function sayWhatThereIs(
  { dialogue, projectRoot }: SlashCommandContext,
  plan: Plan,
): Promise<void> {
  const existing = (await readTasks(projectRoot)).filter((task) => planIdOf(task) === plan.id);
  if (existing.length === 0) return;
  dialogue.info(
    `Plan ${plan.id} has ${existing.length} tasks already; new ones are added to them.`,
  );
}

function draftTasks(
  context: SlashCommandContext,
  plan: Plan,
  guide: string,
): Promise<readonly TaskDraft[] | undefined> {
  const document = `${plan.name}\n${plan.description}\n\n${plan.approach}`;
  return draftUntilAccepted<readonly TaskDraft[]>(context, {
    request: `Split plan ${plan.id} into tasks.\n\n${fence("plan", document)}`,
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
