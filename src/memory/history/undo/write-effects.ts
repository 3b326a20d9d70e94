import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import { getTableConfig } from "drizzle-orm/sqlite-core";
import {
  inSavepointIfPostgres,
  isConstraintError,
  listOfRows,
  rowSet,
  type Tx,
} from "../../../database/index.ts";
import {
  EventLoopYielder,
  LARGE_BATCH_SIZE,
  loadInBatches,
  yieldToEventLoop,
} from "../../../shared/async.ts";
import { groupBy } from "../../../shared/collections.ts";
import { stateConflict } from "../../../shared/errors.ts";
import { rowChanges } from "../../events/change.table.ts";
import type { RowImage } from "../describe-rows.ts";
import { LOGGED_BY_NAME, type LoggedColumn, type LoggedTable } from "../logged-tables.ts";
import { DERIVED_COLUMNS, type DependentChanges } from "./find-dependents.ts";
import type { RowEffect } from "./row-effects.ts";

/** Writes former rows: removals from the last table to the first, then the other writes. */
export async function writeEffects(
  tx: Tx,
  effects: readonly RowEffect[],
  standing: DependentChanges,
): Promise<void> {
  const written = effects.filter((effect) => !standing.retained.has(effect));
  const removals = written.filter(({ action }) => action === "delete").reverse();
  for (const [, ofTable] of groupBy(removals, ({ table }) => table)) await deleteRows(tx, ofTable);
  const turn = new EventLoopYielder();
  for (const effect of written) {
    if (effect.action === "update") await updateRow(tx, effect, standing.rewritten.has(effect));
    await turn.yieldIfDue();
  }
  const coming = written.filter(({ action }) => action === "insert");
  for (const [, ofTable] of groupBy(coming, ({ table }) => table)) await insertRows(tx, ofTable);
  await requireTargets(tx, written);
}

async function deleteRows(tx: Tx, effects: readonly RowEffect[]): Promise<void> {
  const [first] = effects;
  if (first === undefined) return;
  const { table } = first;
  const [only, second] = table.key;
  if (only !== undefined && second === undefined) {
    const keys = effects.map(({ key }) => key[0]);
    await loadInBatches(keys, async (slice) => {
      await tx.delete(table.table).where(inArray(only.column, slice));
      return [];
    });
    return;
  }
  const columns = sql.join(
    table.key.map(({ column }) => sql`${column}`),
    sql`, `,
  );
  const types = Object.fromEntries(table.key.map(({ name, column }) => [name, columnType(column)]));
  await loadInBatches(
    effects.map(({ key }) => key),
    async (slice) => {
      const keys = rowSet(listOfRows(slice), types);
      await tx.delete(table.table).where(sql`(${columns}) in (${keys})`);
      return [];
    },
    LARGE_BATCH_SIZE,
  );
}

function columnType(column: LoggedColumn["column"]): "number" | "text" {
  return column.getSQLType() === "integer" ? "number" : "text";
}

async function updateRow(tx: Tx, effect: RowEffect, keepsSoftDeleted: boolean): Promise<void> {
  const values = Object.entries(effect.values).filter(
    ([name]) => !(keepsSoftDeleted && DERIVED_COLUMNS.has(name)),
  );
  if (values.length === 0) return;
  await rethrowAsConflict(tx, effect, () =>
    tx
      .update(effect.table.table)
      .set(toRow(effect.table, Object.fromEntries(values)))
      .where(isRow(effect)),
  );
}

async function insertRows(tx: Tx, effects: readonly RowEffect[]): Promise<void> {
  for (let start = 0; start < effects.length; start += ROWS_PER_BATCH) {
    await yieldToEventLoop();
    const slice = effects.slice(start, start + ROWS_PER_BATCH);
    const [first] = slice;
    if (first === undefined) return;
    try {
      const rows = slice.map(({ table, values }) => toRow(table, values));
      await inSavepointIfPostgres(tx, () => tx.insert(first.table.table).values(rows));
    } catch (error) {
      if (!isConstraintError(error)) throw error;
      for (const effect of slice) await insertRow(tx, effect);
    }
  }
}

/** Limits statement parameters: SQLite allows 32 766, and a row may have two dozen columns. */
const ROWS_PER_BATCH = 200;

async function insertRow(tx: Tx, effect: RowEffect): Promise<void> {
  await rethrowAsConflict(tx, effect, () =>
    tx.insert(effect.table.table).values(toRow(effect.table, effect.values)),
  );
}

async function rethrowAsConflict(
  tx: Tx,
  { table, values }: RowEffect,
  write: () => PromiseLike<unknown>,
): Promise<void> {
  try {
    await inSavepointIfPostgres(tx, write);
  } catch (error) {
    if (!isConstraintError(error)) throw error;
    const used = await findDuplicateKey(tx, table, values);
    throw stateConflict(`The ${table.owner} cannot be restored: ${used ?? "its place is taken"}.`);
  }
}

async function findDuplicateKey(
  tx: Tx,
  table: LoggedTable,
  values: RowImage,
): Promise<string | undefined> {
  for (const { config } of getTableConfig(table.table).indexes) {
    if (!config.unique) continue;
    const names = config.columns.flatMap((column) => ("name" in column ? [column.name] : []));
    const columns = table.columns.filter(({ name }) => names.includes(name));
    const rows = await tx
      .select({ one: sql`1` })
      .from(table.table)
      .where(and(...columns.map(({ name, column }) => eq(column, values[name] ?? null))))
      .limit(1);
    if (rows.length > 0) {
      const keyValues = columns.map(({ name }) => `${name} ${values[name]}`).join(", ");
      return `another one with ${keyValues} was created later`;
    }
  }
  return undefined;
}

async function requireTargets(tx: Tx, effects: readonly RowEffect[]): Promise<void> {
  const requested = effects.flatMap(({ table, action, values }) =>
    action === "delete"
      ? []
      : table.columns.flatMap(({ name, target }) => {
          const value = values[name];
          const refers = target !== undefined && value !== undefined && value !== null;
          return refers ? [{ owner: table.owner, target, value }] : [];
        }),
  );
  for (const [target, ofTarget] of groupBy(requested, (one) => one.target)) {
    const logged = LOGGED_BY_NAME.get(target);
    const [key] = logged?.key ?? [];
    if (logged === undefined || key === undefined) throw new Error(`${target} is not logged.`);
    const rows = await loadInBatches([...new Set(ofTarget.map(({ value }) => value))], (slice) =>
      tx.select({ id: key.column }).from(logged.table).where(inArray(key.column, slice)),
    );
    const there = new Set(rows.map(({ id }) => id as string | number));
    const missing = ofTarget.find(({ value }) => !there.has(value));
    if (missing === undefined) continue;
    const isMissing = await wasPurged(tx, target, missing.value);
    throw stateConflict(
      isMissing
        ? `The ${missing.owner} as it was refers to something of ${target} that was purged, so it cannot be restored.`
        : `The ${missing.owner} as it was refers to something of ${target} that was undone; redo that first.`,
    );
  }
}

async function wasPurged(tx: Tx, table: string, key: string | number): Promise<boolean> {
  const rows = await tx
    .select({ seq: rowChanges.seq })
    .from(rowChanges)
    .where(
      and(
        eq(rowChanges.tableName, table),
        eq(rowChanges.rowKey, JSON.stringify([key])),
        eq(rowChanges.purged, true),
      ),
    )
    .limit(1);
  return rows.length > 0;
}

function isRow({ table, key }: RowEffect): SQL | undefined {
  return and(...table.key.map(({ column }, index) => eq(column, key[index])));
}

function toRow(table: LoggedTable, image: RowImage): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (const { name, property, column } of table.columns) {
    if (!(name in image)) continue;
    const value = image[name];
    row[property] = value === null || value === undefined ? null : column.mapFromDriverValue(value);
  }
  return row;
}
