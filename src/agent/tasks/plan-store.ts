import { join } from "node:path";
import { z } from "zod";
import { type Clock, toTimestamp } from "../../shared/clock.ts";
import { notFound } from "../../shared/errors.ts";
import { fence } from "../documents/fence.ts";
import { type JsonListFile, readJsonList, updateJsonList } from "../documents/json-list-file.ts";
import { describeDraft, parsePlanId, readTasks, type Task, taskLine } from "./task-store.ts";

const plan = z.looseObject({
  id: z.coerce.number().int().min(1),
  name: z.string().min(1),
  description: z.string().default(""),
  approach: z.string().default(""),
  createdAt: z.string().optional(),
});

export type Plan = z.output<typeof plan>;

export interface PlanDraft {
  readonly name: string;
  readonly description: string;
  readonly approach: string;
}

export function readPlans(projectRoot: string): Promise<Plan[]> {
  return readJsonList(plansFile(projectRoot));
}

/** Throws not_found, naming the existing plans. */
export async function findPlan(projectRoot: string, id: string): Promise<Plan> {
  const plans = await readPlans(projectRoot);
  const found = plans.find((candidate) => String(candidate.id) === id.trim());
  if (found !== undefined) return found;
  const known = plans.map((candidate) => candidate.id).join(", ");
  throw notFound(
    known === ""
      ? `There is no plan ${id}: /plan creates one.`
      : `There is no plan ${id}. There are: ${known}.`,
  );
}

export async function addPlan(projectRoot: string, draft: PlanDraft, clock: Clock): Promise<Plan> {
  const usedByTasks = (await readTasks(projectRoot)).map(parsePlanId);
  return updateJsonList(plansFile(projectRoot), (plans) => {
    const id = Math.max(0, ...plans.map((existing) => existing.id), ...usedByTasks) + 1;
    const added = { id, ...draft, createdAt: toTimestamp(clock.now()) };
    return { list: [...plans, added], result: added };
  });
}

function plansFile(projectRoot: string): JsonListFile<typeof plan> {
  return { path: join(projectRoot, ".cairn", "plans.json"), item: plan };
}

export interface TaskContext {
  readonly plan: Plan | undefined;
  readonly siblings: readonly Task[];
}

export function taskRequest(task: Task): string {
  return `Task ${task.id}: ${describeDraft(task)}`;
}

export function formatContextSection({ plan, siblings }: TaskContext, current?: Task): string {
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
