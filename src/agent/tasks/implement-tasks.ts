import type { ProgressItem } from "../ports/dialogue.ts";
import type { SlashCommandContext } from "../ports/slash-command.ts";
import { implementTask } from "./implement-task.ts";
import type { Plan } from "./plan-store.ts";
import { readTasks, setTaskStatus, type Task } from "./task-store.ts";

export interface TasksToImplement {
  readonly plan: Plan | undefined;
  readonly belongs: (task: Task) => boolean;
  readonly only?: string;
}

export async function implementTasks(
  context: SlashCommandContext,
  { plan, belongs, only }: TasksToImplement,
): Promise<boolean> {
  const { projectRoot, dialogue } = context;
  const open = inOrder((await readTasks(projectRoot)).filter(belongs)).filter(
    (task) => only === undefined || task.id === only,
  );
  const states = new Map<string, ProgressItem["state"]>(open.map((task) => [task.id, "waiting"]));
  const show = (task: Task, state: ProgressItem["state"]) => {
    states.set(task.id, state);
    showProgress(context, open, states);
  };
  for (const { id } of open) {
    // Read again: the user, another thread or the task before may have changed the file.
    const siblings = (await readTasks(projectRoot)).filter(belongs);
    const task = siblings.find((candidate) => candidate.id === id);
    if (task === undefined || task.status === "done") continue;
    await setTaskStatus(projectRoot, { id, status: "in-progress", clock: context.clock });
    show(task, "running");
    const result = await implementTask(context, task, { plan, siblings });
    if (result.kind !== "passed") {
      show(task, "failed");
      sayWhyItStopped(context, task, "reason" in result ? result.reason : undefined);
      return false;
    }
    await setTaskStatus(projectRoot, { id, status: "done", clock: context.clock });
    show(task, "done");
    dialogue.success(`Task ${id} is done: ${task.name}`);
  }
  return true;
}

/** Open tasks, begun ones first, otherwise as in the file. */
function inOrder(tasks: readonly Task[]): readonly Task[] {
  return [
    ...tasks.filter((task) => task.status === "in-progress"),
    ...tasks.filter((task) => task.status === "pending"),
  ];
}

function showProgress(
  { dialogue }: SlashCommandContext,
  tasks: readonly Task[],
  states: ReadonlyMap<string, ProgressItem["state"]>,
): void {
  const items = tasks.map((task) => ({
    id: task.id,
    label: task.name,
    state: states.get(task.id) ?? "waiting",
  }));
  if (dialogue.progress !== undefined) dialogue.progress(items);
  else dialogue.info(items.map((item) => `${item.id} ${item.state}: ${item.label}`).join("\n"));
}

function sayWhyItStopped(
  { dialogue, settings }: SlashCommandContext,
  task: Task,
  reason: string | undefined,
): void {
  if (reason === undefined) {
    dialogue.info(`Stopped at task ${task.id}, which stays in progress.`);
    return;
  }
  const attempts = settings.taskImplementationMaxAttempts;
  dialogue.error(
    `Task ${task.id} (${task.name}) is not done after ${attempts} attempts and stays in progress. ${reason}`,
    "task_failed",
  );
}
