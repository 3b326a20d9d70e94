import type { Tx } from "../../database/index.ts";
import { EventLoopYielder } from "../../shared/async.ts";
import type { rowChanges } from "../events/change.table.ts";
import type { FieldChange } from "../events/event.schema.ts";
import { LOGGED_BY_NAME, type LoggedColumn, type LoggedTable } from "./logged-tables.ts";
import { PublicIds, type RowReference } from "./public-ids.ts";

export type RowChange = typeof rowChanges.$inferSelect;
export type RowImage = Readonly<Record<string, string | number | null>>;
export type RowKey = readonly (string | number)[];

export interface DescribedRow {
  readonly row: RowChange;
  readonly changed: readonly FieldChange[];
}

const IGNORED_COLUMNS = new Set([
  "updated_at",
  "created_at",
  "instance_count",
  "statement_hash",
  "entity_key",
  "pair",
  "position",
]);

export async function describeRows(tx: Tx, rows: readonly RowChange[]): Promise<DescribedRow[]> {
  const parsed = rows.flatMap((row) => {
    const table = LOGGED_BY_NAME.get(row.tableName);
    return table === undefined ? [] : [parseRow(row, table)];
  });
  const ids = new PublicIds(tx);
  await ids.load(parsed.flatMap((one) => [...listReferences(one)]));
  return parsed.map((one) => ({ row: one.row, changed: describeFields(one, ids) }));
}

export interface RowStep {
  readonly table: LoggedTable;
  readonly key: RowKey;
  readonly action: RowChange["action"];
  readonly before: RowImage;
  readonly after: RowImage;
  readonly purged?: boolean;
}

interface ParsedRow extends RowStep {
  readonly row: RowChange;
}

export async function describeFieldsOfRows(
  tx: Tx,
  steps: readonly RowStep[],
): Promise<{ subject: string; changed: FieldChange[] }[]> {
  const ids = new PublicIds(tx);
  const turn = new EventLoopYielder();
  const references: RowReference[] = [];
  for (const step of steps) {
    references.push(...listReferences(step));
    await turn.yieldIfDue();
  }
  await ids.load(references);
  const described: { subject: string; changed: FieldChange[] }[] = [];
  for (const step of steps) {
    described.push({ subject: resolveSubject(step, ids), changed: describeFields(step, ids) });
    await turn.yieldIfDue();
  }
  return described;
}

function parseRow(row: RowChange, table: LoggedTable): ParsedRow {
  return {
    row,
    action: row.action,
    purged: row.purged,
    table,
    key: JSON.parse(row.rowKey) as RowKey,
    before: parseImage(row.before),
    after: parseImage(row.after),
  };
}

export function parseImage(json: string | null): RowImage {
  return json === null ? {} : (JSON.parse(json) as RowImage);
}

function* listReferences({ table, key, before, after }: RowStep): Generator<RowReference> {
  if (table.field === undefined) yield { table: table.name, key: key[0] ?? "" };
  for (const [index, column] of table.key.entries()) {
    if (column.target !== undefined) yield { table: column.target, key: key[index] ?? "" };
  }
  for (const image of [before, after]) {
    for (const { name, target } of table.columns) {
      const value = image[name];
      if (target !== undefined && value !== undefined && value !== null)
        yield { table: target, key: value };
    }
  }
}

function resolveSubject({ table, key }: RowStep, ids: PublicIds): string {
  return ids.of(table.key[0]?.target ?? table.name, key[0] ?? "");
}

function describeFields(parsed: RowStep, ids: PublicIds): FieldChange[] {
  const { table } = parsed;
  const subject = resolveSubject(parsed, ids);
  if (table.field !== undefined) return [describeMembership(parsed, ids, subject)];
  if (parsed.purged) return [{ subject_id: subject, field: "text", before: null, after: null }];
  if (parsed.action !== "update") return [];
  const columns = table.columns.filter(
    ({ name }) => name in parsed.before && !IGNORED_COLUMNS.has(name),
  );
  return columns.map((column) => ({
    subject_id: subject,
    field: column.name,
    before: formatValue(parsed.before[column.name], column, ids),
    after: formatValue(parsed.after[column.name], column, ids),
  }));
}

function describeMembership(parsed: RowStep, ids: PublicIds, subject: string): FieldChange {
  const { action, table, key } = parsed;
  const values = table.key.slice(1).map((column, index) => {
    const value = key[index + 1];
    return String(formatValue(value, column, ids));
  });
  const text = values.join(table.field === "labels" ? "=" : " ");
  const is = { delete: [text, null], insert: [null, text], update: [text, text] }[action];
  return { subject_id: subject, field: table.field ?? "", before: is[0], after: is[1] };
}

function formatValue(
  value: string | number | null | undefined,
  { column, target }: LoggedColumn,
  ids: PublicIds,
): unknown {
  if (value === null || value === undefined) return null;
  if (target !== undefined) return ids.of(target, value);
  return column.mapFromDriverValue(value);
}
