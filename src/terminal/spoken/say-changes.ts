import type { PendingPrompt, Picker, Screen } from "../state/screen.ts";
import { sayItem } from "./say-item.ts";

/** Of a list that a number chooses from. */
const MOST_CHOICES = 20;
/** Tools of which only what they found is said. */
const QUICK: ReadonlySet<string> = new Set(["read", "skim", "filegrep", "grep", "glob", "todo"]);

/** What became of the screen, as lines to be printed below what was said before; never said twice. */
export function sayChanges(before: Screen, after: Screen): readonly string[] {
  const begins = after.finished.length < before.finished.length ? 0 : before.finished.length;
  return [
    ...after.finished.slice(begins).flatMap(sayItem),
    ...sayStatus(before, after),
    ...sayRun(before, after),
    ...sayCalls(before, after),
    ...sayProgress(before, after),
    ...(after.queue.length > before.queue.length ? ["It waits until the next step."] : []),
    ...(after.hint === undefined || after.hint.text === before.hint?.text ? [] : [after.hint.text]),
    ...(after.prompt === undefined || after.prompt === before.prompt
      ? []
      : sayChoices(after.prompt, before.prompt)),
    ...(after.picker === undefined || isSameList(after.picker, before.picker)
      ? []
      : sayPicker(after.picker)),
  ];
}

function sayStatus({ status: before }: Screen, { status: after }: Screen): readonly string[] {
  const { state, model, database, cwd, permissionMode } = after;
  const said: string[] = [];
  if (state !== before.state && state === "ready") {
    said.push(`${cwd}. Model ${model ?? "not chosen"}. Memory ${database ?? "off"}.`);
  }
  if (permissionMode !== before.permissionMode && before.permissionMode !== undefined) {
    said.push(`Mode ${permissionMode}.`);
  }
  return said;
}

function sayRun(
  { run: before }: Screen,
  { run: after, status, prompt }: Screen,
): readonly string[] {
  if (before === undefined && after !== undefined) return ["Working."];
  if (before !== undefined && after?.activity === "stopping" && before.activity !== "stopping") {
    return ["Stopping."];
  }
  if (before === undefined || after !== undefined || prompt !== undefined) return [];
  const { contextUsed, cost } = status;
  const used = contextUsed === undefined ? "" : ` ${Math.round(contextUsed * 100)} percent used.`;
  const paid = cost === undefined || cost === 0 ? "" : ` ${cost.toFixed(2)} dollars.`;
  return [`Ready.${used}${paid}`];
}

function sayCalls({ tools: before }: Screen, { tools: after }: Screen): readonly string[] {
  return after
    .filter(({ callId, name }) => !QUICK.has(name) && before.every((one) => one.callId !== callId))
    .map(({ name, about, contextLabel }) => {
      const who = contextLabel === undefined ? "" : `${contextLabel}: `;
      return `${who}Running: ${name}${about === "" ? "" : ` ${about}`}`;
    });
}

function sayProgress({ progress: before }: Screen, { progress: after }: Screen): readonly string[] {
  return after.flatMap(({ id, label, state }, index) => {
    const earlier = before.find((one) => one.id === id)?.state;
    if (state === "waiting" || state === earlier) return [];
    return [`Task ${index + 1} of ${after.length} ${state}: ${label}`];
  });
}

/** The choices by what is written for them; a question without any is answered in words. */
export function sayChoices(prompt: PendingPrompt, before?: PendingPrompt): readonly string[] {
  const { choices, isSecret, isOptional } = prompt;
  // Only what is marked has moved, and nothing is marked here.
  if (before?.question === prompt.question && before.choices === choices) return [];
  if (choices.length === 0) {
    const how = isSecret === true ? "What you write is not shown. " : "";
    return [`${how}Write your answer${isOptional === true ? ", or nothing" : ""}:`];
  }
  return ["Answer with one of these:", ...choices.map(({ key, label }) => `${key}: ${label}`)];
}

function isSameList(picker: Picker, before: Picker | undefined): boolean {
  return before?.kind === picker.kind && before.items === picker.items;
}

export function sayPicker({ items }: Picker): readonly string[] {
  const rows = items
    .slice(0, MOST_CHOICES)
    .map(
      ({ label, detail }, index) => `${index + 1}: ${[label, detail].filter(Boolean).join(", ")}`,
    );
  const more = items.length > MOST_CHOICES ? [`${items.length - MOST_CHOICES} more.`] : [];
  return [...rows, ...more, "Write a number to choose, words to narrow it, nothing to leave."];
}
