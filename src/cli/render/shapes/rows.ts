import { shorten } from "../../../shared/text.ts";
import type {
  ShownEdge,
  ShownEntity,
  ShownEvent,
  ShownItem,
  ShownLabelCount,
  ShownTopic,
} from "../record-types.ts";
import type { RowShape } from "../shape.ts";
import { has, inLine, isFields, showAge, showNumber } from "../show-value.ts";

export const event: RowShape<ShownEvent> = {
  columns: ["seq", "when", "kind", "id", "what"],
  fits: (record) => has<ShownEvent>(record, "seq", "kind", "subject_id"),
  row: (record, { colors, now, columns }) => [
    colors.bold(inLine(record.seq)),
    colors.dim(showAge(record.ts, { colors, now, columns })),
    colors.yellow(inLine(record.kind)),
    colors.cyan(inLine(record.subject_id)),
    showPayload(record.payload),
  ],
};

export const item: RowShape<ShownItem> = {
  columns: ["id", "type", "when", "text"],
  fits: (record) => has<ShownItem>(record, "id", "kind", "type", "text", "at"),
  row: ({ id, type, at, title, text }, style) => [
    style.colors.bold(style.colors.cyan(inLine(id))),
    style.colors.yellow(inLine(type)),
    style.colors.dim(showAge(at, style)),
    firstWords([title, text].filter((part) => part !== null && part !== "").join(": ")),
  ],
};

/** Rows only identify an item; `show` displays the whole text. */
const LONGEST_TEXT = 160;

function firstWords(text: string): string {
  return shorten(inLine(text), LONGEST_TEXT);
}

export const entity: RowShape<ShownEntity> = {
  columns: ["entity", "mentions", "first"],
  fits: (record) => has<ShownEntity>(record, "id", "mention_count"),
  row: (record, style) => [
    style.colors.bold(style.colors.cyan(inLine(record.id))),
    plural(record.mention_count, "mention"),
    style.colors.dim(showAge(record.created_at, style)),
  ],
};

export const labelCount: RowShape<ShownLabelCount> = {
  columns: ["label", "items"],
  fits: (record) =>
    has<ShownLabelCount>(record, "key", "value", "count") && !has(record, "episodes"),
  row: (record, { colors }) => [
    colors.cyan(`${inLine(record.key)}=${inLine(record.value)}`),
    inLine(record.count),
  ],
};

export const topic: RowShape<ShownTopic> = {
  columns: ["topic", "name", "description"],
  fits: (record) => has<ShownTopic>(record, "id", "name", "description"),
  row: (record, { colors }) => [
    colors.bold(colors.cyan(inLine(record.id))),
    inLine(record.name),
    inLine(record.description),
  ],
};

export const edge: RowShape<ShownEdge> = {
  columns: ["from", "relation", "to", "strength", "context"],
  fits: (record) => has<ShownEdge>(record, "source", "target", "strength"),
  row: (record, { colors }) => [
    colors.cyan(inLine(record.source)),
    `${inLine(record.relation ?? record.type)} →`,
    colors.cyan(inLine(record.target)),
    showNumber(record.strength),
    inLine(record.context),
  ],
};

export const suggestion: RowShape = {
  columns: ["value", "kind", ""],
  fits: (record) => has(record, "value", "kind", "detail"),
  row: (record, { colors }) => [
    colors.bold(colors.cyan(inLine(record.value))),
    inLine(record.kind),
    colors.dim(inLine(record.detail)),
  ],
};

export const opResult: RowShape = {
  columns: ["", "op", "name", "id", "fact"],
  fits: (record) => has(record, "op_index", "op", "success"),
  row: (record, { colors }) => [
    colors.green("✓"),
    inLine(record.op),
    record.ref === undefined ? "" : colors.dim(`$${inLine(record.ref)}`),
    colors.cyan(inLine(record.id ?? record.source)),
    colors.cyan(inLine(record.fact_id)),
  ],
};

export const failure: RowShape = {
  fits: (record) => has(record, "code", "message"),
  row: (record, { colors }) => [colors.red(inLine(record.code)), inLine(record.message)],
};

function showPayload(payload: unknown): string {
  if (!isFields(payload)) return "";
  return Object.entries(payload)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}=${showPayloadValue(value)}`)
    .join(" ");
}

function showPayloadValue(value: unknown): string {
  return inLine(typeof value === "object" ? JSON.stringify(value) : value);
}

function plural(count: number, noun: string): string {
  return `${inLine(count)} ${noun}${count === 1 ? "" : "s"}`;
}
