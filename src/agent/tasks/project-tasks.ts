import { invalidInput } from "../../shared/errors.ts";
import type { ProjectTasks, TasksWish } from "../ports/project-tasks.ts";
import { readPlans } from "./plan-store.ts";
import { planIdOf, readTasks } from "./task-store.ts";

/** Plans and tasks as their files say them now. */
export async function projectTasks(projectRoot: string): Promise<ProjectTasks> {
  const [plans, tasks] = await Promise.all([readPlans(projectRoot), readTasks(projectRoot)]);
  return {
    plans: plans.map(({ id, name, description, approach }) => ({
      ...{ id, name, description, approach },
    })),
    tasks: tasks.map(({ id, name, description, status }) => ({
      ...{ id, plan: planIdOf({ id }), name, description, status },
    })),
  };
}

/** The command that does what is wished. Throws invalid_input where there is none. */
export function commandOf({ id, plan, isUnattended = false }: TasksWish): string {
  if (plan === undefined) {
    const words = ["/tasks run", ...(isUnattended ? ["--unattended"] : []), id ?? ""];
    return words.join(" ").trim();
  }
  if (id !== undefined || isUnattended) {
    throw invalidInput(
      "plan: all open tasks of it are run, with somebody there; leave out the rest.",
    );
  }
  return `/plans run ${plan}`;
}
