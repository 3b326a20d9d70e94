import { join } from "node:path";
import { z } from "zod";
import { type Clock, toTimestamp } from "../../shared/clock.ts";
import { notFound } from "../../shared/errors.ts";
import { type JsonListFile, readJsonList, updateJsonList } from "../documents/json-list-file.ts";

const STATUSES = ["pending", "in-progress", "done"] as const;

/** Files may come from other hands: other words for the same states are read as these. */
const status = z
  .string()
  .transform((text) =>
    text
      .trim()
      .toLowerCase()
      .replace(/[\s_]+/g, "-"),
  )
  .transform((text) => SYNONYMS[text] ?? text)
  .pipe(z.enum(STATUSES));

const SYNONYMS: Readonly<Record<string, (typeof STATUSES)[number]>> = {
  todo: "pending",
  open: "pending",
  completed: "done",
  complete: "done",
};

const task = z.looseObject({
  /** `<plan>-<n>`; the plan of a loose task is 0. */
  id: z.string().regex(/^\d+-\d+$/, "a task id is <plan>-<number>"),
  name: z.string().min(1),
  description: z.string().default(""),
  relatedFiles: z.array(z.string()).default([]),
  acceptanceCriteria: z.array(z.string()).default([]),
  /** Code that a small model needs to see, as text. */
  codeContext: z.string().optional(),
  status: status.default("pending"),
  createdAt: z.string().optional(),
  updatedAt: z.string().optional(),
});

export type Task = z.output<typeof task>;

export interface TaskDraft {
  readonly name: string;
  readonly description: string;
  readonly relatedFiles: readonly string[];
  readonly acceptanceCriteria: readonly string[];
  readonly codeContext?: string | undefined;
}

/** The plan id of tasks that belong to no plan. */
export const LOOSE_TASKS = 0;

export function planIdOf(task: Pick<Task, "id">): number {
  return Number(task.id.split("-", 1)[0]);
}

export function readTasks(projectRoot: string): Promise<Task[]> {
  return readJsonList(tasksFile(projectRoot));
}

/** Throws not_found. */
export async function findTask(projectRoot: string, id: string): Promise<Task> {
  const tasks = await readTasks(projectRoot);
  const found = tasks.find((candidate) => candidate.id === id.trim());
  if (found === undefined) throw notFound(`There is no task ${id}. /tasks lists them.`);
  return found;
}

export interface AddTasks {
  readonly projectRoot: string;
  readonly planId: number;
  readonly drafts: readonly TaskDraft[];
  readonly clock: Clock;
}

/** Adds tasks with the next numbers of their plan, all or none. */
export function addTasks({ projectRoot, planId, drafts, clock }: AddTasks): Promise<Task[]> {
  return updateJsonList(tasksFile(projectRoot), (tasks) => {
    const now = toTimestamp(clock.now());
    const last = lastNumber(tasks, planId);
    const added = drafts.map((draft, index): Task => {
      const { codeContext, ...fields } = draft;
      return {
        id: `${planId}-${last + index + 1}`,
        name: fields.name,
        description: fields.description,
        relatedFiles: [...fields.relatedFiles],
        acceptanceCriteria: [...fields.acceptanceCriteria],
        ...(codeContext !== undefined && { codeContext }),
        status: "pending",
        createdAt: now,
        updatedAt: now,
      };
    });
    return { list: [...tasks, ...added], result: added };
  });
}

/** Throws not_found when the task was removed meanwhile. */
export async function setTaskStatus(
  projectRoot: string,
  change: { readonly id: string; readonly status: Task["status"]; readonly clock: Clock },
): Promise<void> {
  await updateJsonList(tasksFile(projectRoot), (tasks) => {
    if (!tasks.some((candidate) => candidate.id === change.id)) {
      throw notFound(`The task ${change.id} is no longer there.`);
    }
    const updatedAt = toTimestamp(change.clock.now());
    const list = tasks.map((candidate) =>
      candidate.id === change.id ? { ...candidate, status: change.status, updatedAt } : candidate,
    );
    return { list, result: undefined };
  });
}

/** Throws not_found. */
export async function removeTask(projectRoot: string, id: string): Promise<Task> {
  const existing = await findTask(projectRoot, id);
  return updateJsonList(tasksFile(projectRoot), (tasks) => ({
    list: tasks.filter((candidate) => candidate.id !== existing.id),
    result: existing,
  }));
}

function lastNumber(tasks: readonly Task[], planId: number): number {
  const numbers = tasks
    .filter((candidate) => planIdOf(candidate) === planId)
    .map((candidate) => Number(candidate.id.split("-")[1]));
  return Math.max(0, ...numbers);
}

function tasksFile(projectRoot: string): JsonListFile<typeof task> {
  return { path: join(projectRoot, ".cairn", "tasks.json"), item: task };
}
