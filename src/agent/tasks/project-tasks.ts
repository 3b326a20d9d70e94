import { invalidInput } from "../../shared/errors.ts";
import type { ProjectTasks, TasksRequest } from "../ports/project-tasks.ts";
import { readPlans } from "./plan-store.ts";
import { parsePlanId, readTasks } from "./task-store.ts";

export async function projectTasks(projectRoot: string): Promise<ProjectTasks> {
  const [plans, tasks] = await Promise.all([readPlans(projectRoot), readTasks(projectRoot)]);
  return {
    plans: plans.map(({ id, name, description, approach }) => ({
      ...{ id, name, description, approach },
    })),
    tasks: tasks.map(({ id, name, description, status }) => ({
      ...{ id, plan: parsePlanId({ id }), name, description, status },
    })),
  };
}

/** Throws invalid_input if no command does it. */
export function formatCommand({ id, plan }: TasksRequest): string {
  if (plan === undefined) return `/tasks run ${id ?? ""}`.trim();
  if (id !== undefined) {
    throw invalidInput("plan: runs all open tasks of the plan. Leave out `id`.");
  }
  return `/plans run ${plan}`;
}
