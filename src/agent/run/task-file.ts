import { z } from "zod";
import { invalidInput } from "../../shared/errors.ts";

export const listedTask = z.object({
  id: z.string(),
  name: z.string(),
  details: z.string(),
  checks: z.array(z.string()),
  /** Ids of preceding tasks. */
  after: z.array(z.string()),
});

export type ListedTask = z.output<typeof listedTask>;

const CHECKBOX_LINE = /^(?:[-*+]|\d{1,9}[.)])[ \t]+\[([ xX])\][ \t]+(.+)$/;
/**
 * `check: npm test`, as a line or a list entry below the task. Lower case only: prose that begins
 * with "Check:" is not a command.
 */
const FIELD_LINE = /^(?:[-*+][ \t]+)?(check|after|id):[ \t]*(.*)$/;
const FENCE_LINE = /^[ \t]*(`{3,}|~{3,})/;
const ID_PATTERN = /^[a-z0-9][a-z0-9._-]{0,19}$/i;
const MAX_NAME = 200;
const MAX_TASKS = 500;

export interface TaskFile {
  readonly tasks: readonly ListedTask[];
  /** `check:` above the first task applies to all tasks. */
  readonly checks: readonly string[];
}

interface Draft {
  readonly number: string;
  readonly name: string;
  readonly isTicked: boolean;
  readonly lines: string[];
  readonly checks: string[];
  readonly after: string[];
  id: string | undefined;
}

/**
 * Parses a Markdown checklist: each unindented `- [ ]` is a task with the indented lines below as
 * details. `check:` names a command that must succeed, `after:` preceding tasks, `id:` a name for
 * `after:`. Checked boxes are skipped. Throws `invalid_input`.
 */
export function parseTaskFile(text: string): TaskFile {
  const drafts: Draft[] = [];
  const checks: string[] = [];
  let fence: string | undefined;
  for (const line of text.replace(/\r\n?/g, "\n").split("\n")) {
    const fenceMarker = FENCE_LINE.exec(line)?.[1];
    if (fenceMarker !== undefined)
      fence = fence === undefined ? fenceMarker : fenceMarker === fence ? undefined : fence;
    const isCode = fence !== undefined || fenceMarker !== undefined;
    const current = drafts.at(-1);
    const box = isCode ? null : CHECKBOX_LINE.exec(line);
    if (box !== null) {
      const [, tick = "", name = ""] = box;
      drafts.push(createDraft(String(drafts.length + 1), name, tick !== " "));
      continue;
    }
    const field = isCode ? null : FIELD_LINE.exec(line.trim());
    if (field === null) {
      if (current !== undefined && (line.trim() === "" || /^[ \t]/.test(line))) {
        current.lines.push(line);
      }
      continue;
    }
    addField(field, line, current, checks);
  }
  const tasks = drafts.filter(({ isTicked }) => !isTicked).map(toTask);
  requireValid(tasks, new Set(drafts.filter(({ isTicked }) => isTicked).map(taskId)));
  return { tasks: tasks.map((task) => removeTicked(task, tasks)), checks };
}

function createDraft(number: string, name: string, isTicked: boolean): Draft {
  const short = name.replace(/\s+/g, " ").trim().slice(0, MAX_NAME);
  return { number, name: short, isTicked, lines: [], checks: [], after: [], id: undefined };
}

function addField(
  [, name = "", written = ""]: RegExpExecArray,
  line: string,
  draft: Draft | undefined,
  checks: string[],
): void {
  const value = stripTicks(written.trim());
  const field = name;
  if (value === "") throw invalidInput(`${field}: the value is missing in "${line.trim()}".`);
  if (draft === undefined) {
    if (field === "check") checks.push(value);
    return;
  }
  if (field === "check") draft.checks.push(value);
  else if (field === "id") {
    if (!ID_PATTERN.test(value)) {
      throw invalidInput(
        `id: "${value}" is not valid. Use 1 to 20 letters, digits, dots, underscores or hyphens.`,
      );
    }
    draft.id = value;
  } else draft.after.push(...value.split(/[\s,]+/).filter((id) => id !== ""));
}

function stripTicks(text: string): string {
  return /^(`+)([^`]+)\1$/.exec(text)?.[2]?.trim() ?? text;
}

function taskId({ id, number }: Draft): string {
  return id ?? number;
}

function toTask(draft: Draft): ListedTask {
  const { name, lines, checks, after } = draft;
  return { id: taskId(draft), name, details: dedent(lines), checks, after };
}

function dedent(lines: readonly string[]): string {
  const depths = lines.filter((line) => line.trim() !== "").map(measureIndent);
  const depth = Math.min(...depths, 8);
  return lines
    .map((line) => line.slice(Math.min(depth, measureIndent(line))))
    .join("\n")
    .trim();
}

function measureIndent(line: string): number {
  return /^[ \t]*/.exec(line)?.[0].length ?? 0;
}

function removeTicked(task: ListedTask, tasks: readonly ListedTask[]): ListedTask {
  const open = new Set(tasks.map(({ id }) => id));
  return { ...task, after: task.after.filter((id) => open.has(id)) };
}

function requireValid(tasks: readonly ListedTask[], ticked: ReadonlySet<string>): void {
  if (tasks.length === 0) {
    throw invalidInput(
      "The file contains no open task. Write each task on its own line: - [ ] Description",
    );
  }
  if (tasks.length > MAX_TASKS) {
    throw invalidInput(
      `The file contains ${tasks.length} tasks; at most ${MAX_TASKS} are allowed.`,
    );
  }
  const seen = new Set<string>();
  for (const { id } of tasks) {
    if (seen.has(id) || ticked.has(id)) throw invalidInput(`id: "${id}" is used by two tasks.`);
    seen.add(id);
  }
  for (const { id, after } of tasks) {
    const unknown = after.find((other) => !seen.has(other) && !ticked.has(other));
    if (unknown !== undefined) {
      throw invalidInput(
        `after: task "${id}" names "${unknown}", which is not a task of the file.`,
      );
    }
  }
  requireAcyclic(tasks);
}

/** Removes tasks without open predecessors until none is left; the rest form a cycle. */
function requireAcyclic(tasks: readonly ListedTask[]): void {
  const left = new Map(tasks.map((task) => [task.id, task]));
  for (let before = -1; before !== left.size; ) {
    before = left.size;
    for (const [id, { after }] of left) {
      if (!after.some((other) => left.has(other))) left.delete(id);
    }
  }
  if (left.size === 0) return;
  throw invalidInput(`after: these tasks depend on each other: ${[...left.keys()].join(", ")}.`);
}
