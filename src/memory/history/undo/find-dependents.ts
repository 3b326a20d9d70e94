import { and, asc, eq, gt, inArray, isNull, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Tx } from "../../../database/index.ts";
import { EventLoopYielder, loadInBatches } from "../../../shared/async.ts";
import { groupBy } from "../../../shared/collections.ts";
import { FACT_CLUSTER } from "../../concepts/concept.schema.ts";
import { changes, rowChanges } from "../../events/change.table.ts";
import { parseImage, type RowChange } from "../describe-rows.ts";
import { LOGGED_TABLES, type LoggedTable } from "../logged-tables.ts";
import { firstChange, type RowEffect } from "./row-effects.ts";

export const DERIVED_COLUMNS: ReadonlySet<string> = new Set(["updated_at", "instance_count"]);

export interface DependentChanges {
  readonly changes: ReadonlySet<number>;
  /** Rows that other changes need and that therefore remain, such as shared entities. */
  readonly retained: ReadonlySet<RowEffect>;
  readonly rewritten: ReadonlySet<RowEffect>;
}

export async function findDependents(
  tx: Tx,
  effects: readonly RowEffect[],
  chosen: ReadonlySet<number>,
): Promise<DependentChanges> {
  const standing = new Set<number>();
  const rewritten = new Set<RowEffect>();
  await addLaterWriters(tx, { effects, chosen }, { standing, rewritten });
  const retained = await addReferrers(tx, { effects, chosen }, standing);
  for (const number of chosen) standing.delete(number);
  return { changes: standing, retained, rewritten };
}

async function addLaterWriters(
  tx: Tx,
  { effects, chosen }: { effects: readonly RowEffect[]; chosen: ReadonlySet<number> },
  found: { standing: Set<number>; rewritten: Set<RowEffect> },
): Promise<void> {
  for (const [table, ofTable] of groupBy(effects, (effect) => effect.table)) {
    const byKey = new Map(ofTable.map((effect) => [effect.rowKey, effect]));
    const oldest = ofTable.reduce((least, { first }) => Math.min(least, first), Number.MAX_VALUE);
    const later = await loadInBatches([...byKey.keys()], (slice) =>
      tx
        .select({ row: rowChanges, undoOf: changes.undoOf })
        .from(rowChanges)
        .innerJoin(changes, eq(changes.id, rowChanges.changeId))
        .where(
          and(
            eq(rowChanges.tableName, table.name),
            inArray(rowChanges.rowKey, slice),
            gt(rowChanges.seq, oldest),
            isNull(changes.undoneBy),
          ),
        )
        .orderBy(asc(rowChanges.seq)),
    );
    for (const { row, undoOf } of later) {
      const effect = byKey.get(row.rowKey);
      if (effect === undefined || row.seq < effect.first || chosen.has(row.changeId)) continue;
      // An undo of a later change cancels that change out.
      const start = firstChange(effect);
      if (undoOf !== null && !undoOf.some((number) => number < start)) continue;
      const columns = collectWriters(row, effect);
      if (columns.some((name) => !DERIVED_COLUMNS.has(name))) found.standing.add(row.changeId);
      else if (columns.length > 0) found.rewritten.add(effect);
    }
  }
}

/** Returns columns of the effect that a later logged row also wrote; `*` is the whole row. */
function collectWriters(row: RowChange, effect: RowEffect): string[] {
  if (row.action !== "update") return ["*"];
  const written = Object.keys(parseImage(row.before));
  return effect.action === "update" ? written.filter((name) => name in effect.values) : written;
}

async function addReferrers(
  tx: Tx,
  { effects, chosen }: { effects: readonly RowEffect[]; chosen: ReadonlySet<number> },
  standing: Set<number>,
): Promise<ReadonlySet<RowEffect>> {
  const removals = new Map<string, RowEffect>();
  for (const effect of effects) {
    if (effect.action === "delete") removals.set(locationKey(effect.table, effect.rowKey), effect);
  }
  const updated = new Map<string, RowEffect>();
  for (const effect of effects) {
    if (effect.action === "update") updated.set(locationKey(effect.table, effect.rowKey), effect);
  }
  const retained = new Set<RowEffect>();
  const referrers = await findReferrers(tx, [...removals.values()]);
  const turn = new EventLoopYielder();
  for (const effect of [...removals.values()].reverse()) {
    await turn.yieldIfDue();
    for (const referrer of referrers.get(effect) ?? []) {
      const key = locationKey(referrer.table, referrer.rowKey);
      const own = removals.get(key);
      if (own !== undefined && !retained.has(own)) continue;
      const value = updated.get(key)?.values[referrer.column];
      if (value !== undefined && value !== effect.key[0]) continue;
      if (await isShared(tx, effect)) {
        retained.add(effect);
        continue;
      }
      const writer = await findWriter(tx, referrer, chosen);
      if (writer !== undefined) standing.add(writer);
    }
  }
  return retained;
}

interface Referrer {
  readonly table: LoggedTable;
  readonly rowKey: string;
  readonly column: string;
}

async function findReferrers(
  tx: Tx,
  effects: readonly RowEffect[],
): Promise<ReadonlyMap<RowEffect, readonly Referrer[]>> {
  const found = new Map<RowEffect, Referrer[]>();
  const items = effects.filter(({ table }) => table.field === undefined);
  for (const [table, ofTable] of groupBy(items, (effect) => effect.table)) {
    const byKey = new Map(ofTable.map((effect) => [effect.key[0], effect]));
    for (const other of LOGGED_TABLES) {
      for (const { name, column, target } of other.columns) {
        if (target !== table.name) continue;
        const columns: Record<string, SQLiteColumn> = {
          ...keyColumns(other),
          [REFERRED_COLUMN]: column,
        };
        const rows = await loadInBatches([...byKey.keys()], (slice) =>
          tx.select(columns).from(other.table).where(inArray(column, slice)),
        );
        for (const row of rows) {
          const effect = byKey.get(row[REFERRED_COLUMN] as string | number);
          const rowKey = JSON.stringify(other.key.map(({ property }) => row[property]));
          if (effect === undefined || (other === table && rowKey === effect.rowKey)) continue;
          const known = found.get(effect);
          const referrer = { table: other, rowKey, column: name };
          if (known === undefined) found.set(effect, [referrer]);
          else known.push(referrer);
        }
      }
    }
  }
  return found;
}

/** A key that no column can have. */
const REFERRED_COLUMN = "referred to";

function keyColumns(table: LoggedTable): Record<string, SQLiteColumn> {
  return Object.fromEntries(table.key.map(({ property, column }) => [property, column]));
}

async function isShared(tx: Tx, { table, key }: RowEffect): Promise<boolean> {
  if (table.owner === "entity") return true;
  if (table.owner !== "concept") return false;
  const type: SQL = sql`select type from ${table.table} where id = ${key[0]}`;
  const [row] = await tx.all<{ type: string }>(type);
  return row?.type === FACT_CLUSTER;
}

async function findWriter(
  tx: Tx,
  { table, rowKey, column }: Referrer,
  chosen: ReadonlySet<number>,
): Promise<number | undefined> {
  const rows = await tx
    .select()
    .from(rowChanges)
    .innerJoin(changes, eq(changes.id, rowChanges.changeId))
    .where(
      and(
        eq(rowChanges.tableName, table.name),
        eq(rowChanges.rowKey, rowKey),
        isNull(changes.undoneBy),
      ),
    )
    .orderBy(asc(rowChanges.seq));
  const writers = rows
    .map(({ row_changes: row }) => row)
    .filter((row) => row.action !== "update" || column in parseImage(row.before));
  return writers.findLast(({ changeId }) => !chosen.has(changeId))?.changeId;
}

function locationKey(table: LoggedTable, rowKey: string): string {
  return `${table.name} ${rowKey}`;
}
