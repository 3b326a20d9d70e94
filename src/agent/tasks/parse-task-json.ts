import { z } from "zod";
import { invalidInput } from "../../shared/errors.ts";
import { isPlainObject } from "../../shared/json.ts";
import { findJson } from "../documents/find-json.ts";
import type { TaskDraft } from "./task-store.ts";

/** Names of tasks are shown on one line. */
const MAX_NAME = 200;

/** One text of a list may come alone, or as a text with a list marker on each line. */
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
 * The task `{name, description, relatedFiles, acceptanceCriteria}` in a model's answer.
 * Throws invalid_input when the answer holds none.
 */
export function parseTaskDraft(answer: string): TaskDraft {
  let problem = "it holds no JSON object";
  for (const value of findJson(answer)) {
    const candidate = Array.isArray(value) && value.length === 1 ? value[0] : value;
    const draft = taskDraft.safeParse(candidate);
    if (draft.success) return draft.data;
    problem = issueOf(draft.error);
  }
  throw invalidInput(`The draft of the task cannot be read: ${problem}.`);
}

/** A list of tasks as JSON, alone or under `tasks`; undefined when the answer holds none. */
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

/** Code context is text; a model that answers with a structure meant that text. */
function toContext(value: unknown): string | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

function issueOf(error: z.ZodError): string {
  const issue = error.issues[0];
  if (issue === undefined) return "it has another shape";
  const field = issue.path.join(".");
  return field === "" ? issue.message : `"${field}": ${issue.message}`;
}
