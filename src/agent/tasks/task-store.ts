import { join } from "node:path";
import { z } from "zod";
import { type Clock, toTimestamp } from "../../shared/clock.ts";
import { invalidInput, notFound } from "../../shared/errors.ts";
import { isPlainObject } from "../../shared/json.ts";
import { findJson } from "../documents/find-json.ts";
import { type JsonListFile, readJsonList, updateJsonList } from "../documents/json-list-file.ts";

const STATUSES = ["pending", "in-progress", "done"] as const;

/** Accepts synonyms in files from other sources. */
const status = z
  .string()
  .transform((text) =>
    text
      .trim()
      .toLowerCase()
      .replace(/[\s_]+/g, "-"),
  )
  .transform((text) => STATUS_SYNONYMS[text] ?? text)
  .pipe(z.enum(STATUSES));

const STATUS_SYNONYMS: Readonly<Record<string, (typeof STATUSES)[number]>> = {
  todo: "pending",
  open: "pending",
  completed: "done",
  complete: "done",
};

const task = z.looseObject({
  id: z.string().regex(/^\d+-\d+$/, "a task id is <plan>-<number>"),
  name: z.string().min(1),
  description: z.string().default(""),
  relatedFiles: z.array(z.string()).default([]),
  acceptanceCriteria: z.array(z.string()).default([]),
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

export const LOOSE_TASKS_PLAN_ID = 0;

export function parsePlanId(task: Pick<Task, "id">): number {
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

/** Adds all tasks with the next numbers of their plan, or none. */
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

/** Throws not_found if the task was removed meanwhile. */
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
    .filter((candidate) => parsePlanId(candidate) === planId)
    .map((candidate) => Number(candidate.id.split("-")[1]));
  return Math.max(0, ...numbers);
}

function tasksFile(projectRoot: string): JsonListFile<typeof task> {
  return { path: join(projectRoot, ".cairn", "tasks.json"), item: task };
}

export function describeDraft(draft: TaskDraft): string {
  return [
    draft.name,
    ...(draft.description === "" ? [] : [draft.description]),
    ...formatList("Related files:", draft.relatedFiles),
    ...formatList("Acceptance criteria:", draft.acceptanceCriteria),
    ...(draft.codeContext === undefined ? [] : ["Code context:", draft.codeContext]),
  ].join("\n");
}

export function describeDrafts(drafts: readonly TaskDraft[]): string {
  return drafts.map((draft, index) => `${index + 1}. ${indent(describeDraft(draft))}`).join("\n\n");
}

export function taskLine(task: Task): string {
  return `${STATUS_MARKS[task.status]} ${task.id}  ${task.name}`;
}

const STATUS_MARKS: Readonly<Record<Task["status"], string>> = {
  pending: "[ ]",
  "in-progress": "[~]",
  done: "[x]",
};

function formatList(title: string, items: readonly string[]): readonly string[] {
  return items.length === 0 ? [] : [title, ...items.map((item) => `- ${item}`)];
}

function indent(text: string): string {
  return text.replace(/\n(?=.)/g, "\n   ");
}

const MAX_NAME = 200;

/** Accepts a single text, or a text with a list marker on each line. */
const texts = z
  .union([z.array(z.union([z.string(), z.number()])), z.string()])
  .nullish()
  .transform((value) => toLines(value));

const text = z
  .string()
  .nullish()
  .transform((value) => value?.trim() ?? "");

const taskDraft = z
  .looseObject({
    name: z
      .string()
      .trim()
      .min(1)
      .transform((name) => name.replace(/\s+/g, " ").slice(0, MAX_NAME)),
    description: text,
    relatedFiles: texts,
    acceptanceCriteria: texts,
    codeContext: z.unknown().optional(),
  })
  .transform(({ name, description, relatedFiles, acceptanceCriteria, ...rest }): TaskDraft => {
    const draft = { name, description, relatedFiles, acceptanceCriteria };
    const codeContext = toContext(rest.codeContext);
    return codeContext === undefined ? draft : { ...draft, codeContext };
  });

/**
 * Parses `{name, description, relatedFiles, acceptanceCriteria}` from a model's answer. Throws
 * invalid_input.
 */
export function parseTaskDraft(answer: string): TaskDraft {
  let problem = "it contains no JSON object";
  for (const value of findJson(answer)) {
    const candidate = Array.isArray(value) && value.length === 1 ? value[0] : value;
    const draft = taskDraft.safeParse(candidate);
    if (draft.success) return draft.data;
    problem = describeIssue(draft.error);
  }
  throw invalidInput(`The draft of the task cannot be read: ${problem}.`);
}

export function parseTaskListJson(answer: string): readonly TaskDraft[] | undefined {
  for (const value of findJson(answer)) {
    const list = isPlainObject(value) ? (value.tasks ?? [value]) : value;
    const drafts = z.array(taskDraft).min(1).safeParse(list);
    if (drafts.success) return drafts.data;
  }
  return undefined;
}

function toLines(value: unknown): readonly string[] {
  const lines = Array.isArray(value) ? value.map(String) : String(value ?? "").split("\n");
  return lines
    .map((line) => (Array.isArray(value) ? line : line.replace(/^\s*(?:[-*+]|\d+[.)])\s+/, "")))
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** Models may send a structure instead of text. */
function toContext(value: unknown): string | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

function describeIssue(error: z.ZodError): string {
  const issue = error.issues[0];
  if (issue === undefined) return "it has an unexpected structure";
  const field = issue.path.join(".");
  return field === "" ? issue.message : `"${field}": ${issue.message}`;
}
