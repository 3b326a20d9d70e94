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
import { hasValue, isFields, showAge, showNumber, toInline } from "../show-value.ts";

export const event: RowShape<ShownEvent> = {
  columns: ["seq", "when", "kind", "id", "what"],
  fits: (record) => hasValue<ShownEvent>(record, "seq", "kind", "subject_id"),
  row: (record, { colors, now, columns }) => [
    colors.bold(toInline(record.seq)),
    colors.dim(showAge(record.ts, { colors, now, columns })),
    colors.yellow(toInline(record.kind)),
    colors.cyan(toInline(record.subject_id)),
    showPayload(record.payload),
  ],
};

export const item: RowShape<ShownItem> = {
  columns: ["id", "type", "when", "text"],
  fits: (record) => hasValue<ShownItem>(record, "id", "kind", "type", "text", "at"),
  row: ({ id, type, at, title, text }, style) => [
    style.colors.bold(style.colors.cyan(toInline(id))),
    style.colors.yellow(toInline(type)),
    style.colors.dim(showAge(at, style)),
    firstWords([title, text].filter((part) => part !== null && part !== "").join(": ")),
  ],
};

/** Rows only identify an item; `show` displays the whole text. */
const MAX_TEXT_CHARACTERS = 160;

function firstWords(text: string): string {
  return shorten(toInline(text), MAX_TEXT_CHARACTERS);
}

export const entity: RowShape<ShownEntity> = {
  columns: ["entity", "mentions", "first"],
  fits: (record) => hasValue<ShownEntity>(record, "id", "mention_count"),
  row: (record, style) => [
    style.colors.bold(style.colors.cyan(toInline(record.id))),
    pluralize(record.mention_count, "mention"),
    style.colors.dim(showAge(record.created_at, style)),
  ],
};

export const labelCount: RowShape<ShownLabelCount> = {
  columns: ["label", "items"],
  fits: (record) =>
    hasValue<ShownLabelCount>(record, "key", "value", "count") && !hasValue(record, "episodes"),
  row: (record, { colors }) => [
    colors.cyan(`${toInline(record.key)}=${toInline(record.value)}`),
    toInline(record.count),
  ],
};

export const topic: RowShape<ShownTopic> = {
  columns: ["topic", "name", "description"],
  fits: (record) => hasValue<ShownTopic>(record, "id", "name", "description"),
  row: (record, { colors }) => [
    colors.bold(colors.cyan(toInline(record.id))),
    toInline(record.name),
    toInline(record.description),
  ],
};

export const edge: RowShape<ShownEdge> = {
  columns: ["from", "relation", "to", "strength", "context"],
  fits: (record) => hasValue<ShownEdge>(record, "source", "target", "strength"),
  row: (record, { colors }) => [
    colors.cyan(toInline(record.source)),
    `${toInline(record.relation ?? record.type)} →`,
    colors.cyan(toInline(record.target)),
    showNumber(record.strength),
    toInline(record.context),
  ],
};

export const suggestion: RowShape = {
  columns: ["value", "kind", ""],
  fits: (record) => hasValue(record, "value", "kind", "detail"),
  row: (record, { colors }) => [
    colors.bold(colors.cyan(toInline(record.value))),
    toInline(record.kind),
    colors.dim(toInline(record.detail)),
  ],
};

export const opResult: RowShape = {
  columns: ["", "op", "name", "id", "fact"],
  fits: (record) => hasValue(record, "op_index", "op", "success"),
  row: (record, { colors }) => [
    colors.green("✓"),
    toInline(record.op),
    record.ref === undefined ? "" : colors.dim(`$${toInline(record.ref)}`),
    colors.cyan(toInline(record.id ?? record.source)),
    colors.cyan(toInline(record.fact_id)),
  ],
};

export const failure: RowShape = {
  fits: (record) => hasValue(record, "code", "message"),
  row: (record, { colors }) => [colors.red(toInline(record.code)), toInline(record.message)],
};

function showPayload(payload: unknown): string {
  if (!isFields(payload)) return "";
  return Object.entries(payload)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}=${showPayloadValue(value)}`)
    .join(" ");
}

function showPayloadValue(value: unknown): string {
  return toInline(typeof value === "object" ? JSON.stringify(value) : value);
}

function pluralize(count: number, noun: string): string {
  return `${toInline(count)} ${noun}${count === 1 ? "" : "s"}`;
}
