import type { SlashCommand, SlashCommandContext } from "../ports/slash-command.ts";
import { implementTasks } from "../tasks/implement-tasks.ts";
import { findPlan, type Plan } from "../tasks/plan-store.ts";
import { findTask, LOOSE_TASKS, planIdOf, readTasks } from "../tasks/task-store.ts";

export const tasksRun: SlashCommand = {
  name: "tasks run",
  argument: { name: "id" },
  summary: "Implement the open loose tasks, or one task",
  terminalOnly: true,
  run: (context, args) => (args === "" ? runLooseTasks(context) : runOneTask(context, args)),
};

async function runLooseTasks(context: SlashCommandContext): Promise<void> {
  const belongs = (task: { readonly id: string }) => planIdOf(task) === LOOSE_TASKS;
  const all = await readTasks(context.projectRoot);
  if (!all.some((task) => belongs(task) && task.status !== "done")) {
    const ofPlans = all.some((task) => task.status !== "done");
    context.dialogue.info(
      ofPlans
        ? "There are no open loose tasks. /plans run <id> does the tasks of a plan."
        : "There are no open tasks. /tasks add <text> makes one.",
    );
    return;
  }
  await implementTasks(context, { plan: undefined, belongs });
}

async function runOneTask(context: SlashCommandContext, id: string): Promise<void> {
  const { dialogue, projectRoot } = context;
  const task = await findTask(projectRoot, id);
  if (task.status === "done") {
    dialogue.info(`Task ${task.id} is done already.`);
    return;
  }
  const planId = planIdOf(task);
  await implementTasks(context, {
    plan: planId === LOOSE_TASKS ? undefined : await planOf(projectRoot, planId),
    belongs: (candidate) => planIdOf(candidate) === planId,
    only: task.id,
  });
}

function planOf(projectRoot: string, planId: number): Promise<Plan> {
  return findPlan(projectRoot, String(planId));
}
