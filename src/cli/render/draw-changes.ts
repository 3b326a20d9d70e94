import type { EventRecord } from "../../memory/index.ts";
import { stripControl } from "../../shared/text.ts";
import type { Style } from "./style.ts";

type FieldChange = NonNullable<EventRecord["changed"]>[number];

export interface ShownChange {
  readonly id: string;
  readonly ts: string;
  readonly author: string;
  readonly surface: string;
  readonly operation: string;
  readonly undo_of: readonly string[];
  readonly undone_by: string | null;
  readonly event_count: number;
  readonly events: readonly EventRecord[];
  readonly changed?: readonly FieldChange[] | undefined;
}

export function drawChanges(
  { changes }: { readonly changes: readonly ShownChange[] },
  style: Style,
): string[] {
  if (changes.length === 0) return ["No changes."];
  return changes.flatMap((change, index) => [
    ...(index > 0 ? [""] : []),
    formatHeader(change, style),
    ...change.events.map((event) => `  ${describeEvent(event, style)}`),
    ...(change.event_count > change.events.length
      ? [style.colors.dim(`  … and ${change.event_count - change.events.length} more`)]
      : []),
    ...diffLines(change.changed ?? [], style),
  ]);
}

export function drawHistory(
  { id, events }: { readonly id: string; readonly events: readonly EventRecord[] },
  { style, patch }: { readonly style: Style; readonly patch: boolean },
): string[] {
  if (events.length === 0) return [`Nothing happened to ${showInline(id)}.`];
  return events.flatMap((event) => [
    `${style.colors.yellow(event.change_id ?? `event ${event.seq}`)}  ${formatTime(event.ts)}  ${describeEvent(event, style)}`,
    ...(patch ? diffLines(event.changed ?? [], style) : []),
  ]);
}

function formatHeader(change: ShownChange, { colors }: Style): string {
  const notes = [
    ...(change.undo_of.length > 0 ? [`undoes ${change.undo_of.join(", ")}`] : []),
    ...(change.undone_by === null ? [] : [`undone by ${change.undone_by}`]),
  ];
  const by =
    change.author === change.surface
      ? change.author
      : `${showInline(change.author)} (${change.surface})`;
  const note = notes.length > 0 ? `  ${colors.cyan(notes.join("; "))}` : "";
  return `${colors.yellow(change.id)}  ${formatTime(change.ts)}  ${colors.bold(by)}  ${change.operation}${note}`;
}

function describeEvent(
  { kind, subject_id: subject, payload }: EventRecord,
  { colors }: Style,
): string {
  const op = typeof payload?.op === "string" && payload.op !== "update" ? ` (${payload.op})` : "";
  return `${kind.replaceAll("_", " ")} ${colors.bold(showInline(subject))}${colors.dim(op)}`;
}

function diffLines(changed: readonly FieldChange[], { colors }: Style): string[] {
  return changed.flatMap(({ subject_id: subject, field, before, after }) => [
    colors.dim(`    ${showInline(subject)} ${field}`),
    ...textLines(before).map((text) => colors.red(`    - ${text}`)),
    ...textLines(after).map((text) => colors.green(`    + ${text}`)),
  ]);
}

function textLines(value: unknown): string[] {
  if (value === null || value === undefined) return [];
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.split("\n").map(showInline);
}

function formatTime(timestamp: string): string {
  return timestamp.slice(0, 16).replace("T", " ");
}

function showInline(text: string): string {
  return stripControl(text).replaceAll("\n", " ");
}
