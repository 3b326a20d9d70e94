import { alignColumns, indent, type Row } from "./lay-out.ts";
import type { RowShape, Shape } from "./shape.ts";
import { SHAPES } from "./shapes/index.ts";
import { type Fields, isFields, showList, showScalar } from "./show-value.ts";
import type { Style } from "./style.ts";

/** Formats a result as lines of text, without control characters that move the cursor. */
export function renderOutput(output: unknown, style: Style): string[] {
  if (!isFields(output)) {
    return Array.isArray(output) ? renderRecords(output, style) : [showScalar(output, style)];
  }
  const shape = findShape(output);
  if (shape !== undefined) return renderShape(shape, [output], style);
  return renderFields(output, style);
}

function findShape(record: Fields): Shape | undefined {
  return SHAPES.find((shape) => shape.fits(record));
}

function renderShape(shape: Shape, records: readonly Fields[], style: Style): string[] {
  if ("row" in shape) {
    const rows = records.map((record) => shape.row(record, style));
    return alignColumns([...createHeaderRow(shape, records, style), ...rows], style.columns);
  }
  return joinBlocks(records.map((record) => shape.block(record, style)));
}

/** Neither piped output nor single rows get a header. */
function createHeaderRow(
  shape: RowShape,
  records: readonly Fields[],
  { columns, colors }: Style,
): Row[] {
  if (shape.columns === undefined || columns === Number.POSITIVE_INFINITY) return [];
  return records.length < 2 ? [] : [shape.columns.map((title) => colors.dim(title))];
}

function renderRecords(records: readonly unknown[], style: Style): string[] {
  const groups: { shape: Shape | undefined; records: Fields[] }[] = [];
  for (const record of records.filter(isFields)) {
    const shape = findShape(record);
    const last = groups.at(-1);
    if (last !== undefined && last.shape === shape) last.records.push(record);
    else groups.push({ shape, records: [record] });
  }
  return joinBlocks(
    groups.flatMap(({ shape, records: group }) =>
      shape === undefined
        ? group.map((record) => renderFields(withoutEmptyLists(record), style))
        : [renderShape(shape, group, style)],
    ),
  );
}

function withoutEmptyLists(record: Fields): Fields {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => !isEmptyList(value)));
}

const PAGING_FIELDS = ["total", "page", "limit", "count", "next_cursor"];

function renderFields(record: Fields, style: Style): string[] {
  const entries = Object.entries(record).filter(([, value]) => value !== null);
  const sections = entries.filter(([, value]) => isSection(value));
  const hasList = sections.some(([, value]) => Array.isArray(value));
  const scalars = entries.filter(
    ([name, value]) => !isSection(value) && !(hasList && PAGING_FIELDS.includes(name)),
  );
  const hasFeed = "next_since_seq" in record;
  const visible = scalars.filter(([, value]) => !hasFeed && !isEmptyList(value));
  const table = alignColumns(
    visible.map(([name, value]) => [
      style.colors.dim(formatLabel(name)),
      Array.isArray(value) ? showList(value) : showScalar(value, style),
    ]),
    style.columns,
  );
  const isAlone = sections.length === 1 && visible.length === 0;
  const blocks = sections.map(([name, value]) =>
    isAlone ? renderSection(name, value, style) : renderTitled(name, value, style),
  );
  const all = [
    ...(table.length > 0 ? [table] : []),
    ...blocks,
    ...formatNextPageHint(record, style),
  ];
  return all.length > 0 ? joinBlocks(all) : [formatEmptyResult(entries)];
}

function isSection(value: unknown): boolean {
  if (isFields(value)) return true;
  return Array.isArray(value) && (value.length === 0 || value.some(isFields));
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function renderSection(name: string, value: unknown, style: Style): string[] {
  if (Array.isArray(value)) {
    return value.length === 0 ? [`No ${formatLabel(name)}.`] : renderRecords(value, style);
  }
  return renderOutput(value, style);
}

function renderTitled(name: string, value: unknown, style: Style): string[] {
  if (isEmptyList(value)) return [style.colors.dim(`No ${formatLabel(name)}.`)];
  const count = Array.isArray(value) ? ` (${value.length})` : "";
  const title = style.colors.bold(`${formatLabel(name)}${count}`);
  return [
    title,
    ...indent(renderSection(name, value, { ...style, columns: style.columns - 2 }), 2),
  ];
}

function formatNextPageHint(record: Fields, style: Style): string[][] {
  const { total, page, limit } = record;
  if (typeof total !== "number" || typeof page !== "number" || typeof limit !== "number") return [];
  if (total <= page * limit) return [];
  const first = (page - 1) * limit + 1;
  return [
    [style.colors.dim(`${first} to ${page * limit} of ${total}; the next: --page ${page + 1}`)],
  ];
}

function formatEmptyResult(entries: readonly (readonly [string, unknown])[]): string {
  const [name] = entries.find(([, value]) => isEmptyList(value)) ?? [];
  return name === undefined ? "Done." : `No ${formatLabel(name)}.`;
}

function joinBlocks(blocks: readonly (readonly string[])[]): string[] {
  return blocks.flatMap((lines, index) => (index === 0 ? lines : ["", ...lines]));
}

/** `merged_from` → `merged from`; snapshot section keys stay unchanged. */
function formatLabel(name: string): string {
  return /^[a-z_]+$/.test(name) ? name.replaceAll("_", " ") : name.replace(/[^\P{C}]/gu, "");
}
