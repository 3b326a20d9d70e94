import { fence } from "../documents/fence.ts";
import { describeDraft, taskLine } from "./describe-task.ts";
import type { Plan } from "./plan-store.ts";
import type { Task } from "./task-store.ts";

export interface TaskSurroundings {
  readonly plan: Plan | undefined;
  /** All tasks of the plan, or all loose ones. */
  readonly siblings: readonly Task[];
}

/** The task as the message of a user. */
export function taskRequest(task: Task): string {
  return `Task ${task.id}: ${describeDraft(task)}`;
}

/** The plan and the other tasks, for the end of the system prompt. */
export function surroundingsSection({ plan, siblings }: TaskSurroundings, current?: Task): string {
  const others = siblings.filter((task) => task.id !== current?.id);
  const sections = [
    ...(plan === undefined
      ? []
      : [fence("plan", `${plan.name}\n${plan.description}\n\n${plan.approach}`)]),
    ...(others.length === 0
      ? []
      : [
          fence("tasks", others.map(taskLine).join("\n"), {
            note: "[x] done, [~] begun, [ ] open",
          }),
        ]),
  ];
  return sections.join("\n\n");
}

export function hookVariables(plan: Plan | undefined, task?: Task): Record<string, string> {
  return {
    ...(plan !== undefined && { CAIRN_PLAN_ID: String(plan.id), CAIRN_PLAN_NAME: plan.name }),
    ...(task !== undefined && { CAIRN_TASK_ID: task.id, CAIRN_TASK_NAME: task.name }),
  };
}
