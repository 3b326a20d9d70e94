import { invalidInput } from "../../shared/errors.ts";
import type { NightTask } from "./night-task.ts";

/** A box of the outermost list. */
const BOX = /^(?:[-*+]|\d{1,9}[.)])[ \t]+\[([ xX])\][ \t]+(.+)$/;
/** `check: npm test`, as a line of its own or as an entry of a list below the task. */
const FIELD = /^(?:[-*+][ \t]+)?(check|after|id):[ \t]*(.*)$/i;
const FENCE = /^[ \t]*(`{3,}|~{3,})/;
const ID = /^[a-z0-9][a-z0-9._-]{0,19}$/i;
const MAX_NAME = 200;
/** More is no list that anybody wrote for a night. */
const MOST_TASKS = 500;

export interface TaskFile {
  readonly tasks: readonly NightTask[];
  /** `check:` above the first task: they hold for all. */
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
 * Reads a checklist in Markdown: each `- [ ]` that is not indented is a task, what is indented below it
 * says more, and the fields `check:`, `after:` and `id:` say when it counts as done, after which tasks
 * it comes and by which word others name it. Ticked boxes are left out. Throws invalid_input.
 */
export function parseTaskFile(text: string): TaskFile {
  const drafts: Draft[] = [];
  const checks: string[] = [];
  let fence: string | undefined;
  for (const line of text.replace(/\r\n?/g, "\n").split("\n")) {
    const mark = FENCE.exec(line)?.[1];
    if (mark !== undefined) fence = fence === undefined ? mark : mark === fence ? undefined : fence;
    const isCode = fence !== undefined || mark !== undefined;
    const current = drafts.at(-1);
    const box = isCode ? null : BOX.exec(line);
    if (box !== null) {
      const [, tick = "", name = ""] = box;
      drafts.push(draftOf(String(drafts.length + 1), name, tick !== " "));
      continue;
    }
    const field = isCode ? null : FIELD.exec(line.trim());
    if (field === null) {
      // A heading parts the list; what is written at the margin belongs to nobody.
      if (current !== undefined && (line.trim() === "" || /^[ \t]/.test(line))) {
        current.lines.push(line);
      }
      continue;
    }
    take(field, line, current, checks);
  }
  const tasks = drafts.filter(({ isTicked }) => !isTicked).map(toTask);
  requireSense(tasks, new Set(drafts.filter(({ isTicked }) => isTicked).map(idOf)));
  return { tasks: tasks.map((task) => withoutTicked(task, tasks)), checks };
}

function draftOf(number: string, name: string, isTicked: boolean): Draft {
  const short = name.replace(/\s+/g, " ").trim().slice(0, MAX_NAME);
  return { number, name: short, isTicked, lines: [], checks: [], after: [], id: undefined };
}

function take(
  [, name = "", written = ""]: RegExpExecArray,
  line: string,
  draft: Draft | undefined,
  checks: string[],
): void {
  const value = withoutTicks(written.trim());
  const field = name.toLowerCase();
  if (value === "") throw invalidInput(`${field}: has nothing behind it: "${line.trim()}".`);
  if (draft === undefined) {
    if (field === "check") checks.push(value);
    return;
  }
  if (field === "check") draft.checks.push(value);
  else if (field === "id") {
    if (!ID.test(value)) {
      throw invalidInput(
        `id: "${value}" is no word for a task: 1 to 20 letters, digits, dots, underscores or hyphens.`,
      );
    }
    draft.id = value;
  } else draft.after.push(...value.split(/[\s,]+/).filter((id) => id !== ""));
}

/** A command is often written as code. */
function withoutTicks(text: string): string {
  return /^(`+)([^`]+)\1$/.exec(text)?.[2]?.trim() ?? text;
}

function idOf({ id, number }: Draft): string {
  return id ?? number;
}

function toTask(draft: Draft): NightTask {
  const { name, lines, checks, after } = draft;
  return { id: idOf(draft), name, details: dedent(lines), checks, after };
}

function dedent(lines: readonly string[]): string {
  const depths = lines.filter((line) => line.trim() !== "").map(indentOf);
  const depth = Math.min(...depths, 8);
  return lines
    .map((line) => line.slice(Math.min(depth, indentOf(line))))
    .join("\n")
    .trim();
}

function indentOf(line: string): number {
  return /^[ \t]*/.exec(line)?.[0].length ?? 0;
}

function withoutTicked(task: NightTask, tasks: readonly NightTask[]): NightTask {
  const open = new Set(tasks.map(({ id }) => id));
  return { ...task, after: task.after.filter((id) => open.has(id)) };
}

function requireSense(tasks: readonly NightTask[], ticked: ReadonlySet<string>): void {
  if (tasks.length === 0) {
    throw invalidInput(
      "The file holds no open task. Write each as a line of its own: - [ ] What is to be done",
    );
  }
  if (tasks.length > MOST_TASKS) {
    throw invalidInput(`The file holds ${tasks.length} tasks; ${MOST_TASKS} is the most.`);
  }
  const seen = new Set<string>();
  for (const { id } of tasks) {
    if (seen.has(id) || ticked.has(id)) throw invalidInput(`id: two tasks are called "${id}".`);
    seen.add(id);
  }
  for (const { id, after } of tasks) {
    const unknown = after.find((other) => !seen.has(other) && !ticked.has(other));
    if (unknown !== undefined) {
      throw invalidInput(`after: the task "${id}" names "${unknown}", which is no task.`);
    }
  }
  requireAnOrder(tasks);
}

/** Takes away what can be done until nothing is left; what is left waits for itself. */
function requireAnOrder(tasks: readonly NightTask[]): void {
  const left = new Map(tasks.map((task) => [task.id, task]));
  for (let before = -1; before !== left.size; ) {
    before = left.size;
    for (const [id, { after }] of left) {
      if (!after.some((other) => left.has(other))) left.delete(id);
    }
  }
  if (left.size === 0) return;
  throw invalidInput(`after: these tasks wait for each other: ${[...left.keys()].join(", ")}.`);
}
