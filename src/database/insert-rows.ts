import { getTableColumns, type SQL, sql } from "drizzle-orm";
import type { IndexColumn, SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Tx } from "./database.ts";
import { isNumbered, lastNumber } from "./numbered-rows.ts";
import { preparedQuery } from "./prepared-query.ts";
import {
  listOfRows,
  type RowList,
  rowsParameter,
  selectByEngine,
  type ValueType,
} from "./select-by-engine.ts";

interface InsertOptions {
  readonly onConflict?: "ignore" | { target: IndexColumn[]; set: Record<string, SQL> };
}

/** Inserts any number of rows with one constant statement. Does not support byte columns. */
export function insertRows<Table extends SQLiteTable>(
  table: Table,
  options: InsertOptions = {},
): (tx: Tx, rows: readonly Table["$inferInsert"][]) => Promise<void> {
  const columns = Object.entries(getTableColumns(table));
  const insert = preparedQuery((tx) => composeInsert(tx, { table, columns, options }).prepare());
  return async (tx, rows) => {
    if (rows.length > 0) await insert(tx).execute({ rows: encodeRows(columns, rows) });
  };
}

/** Inserts into an auto-numbered table; returns the numbers in row order. */
export function insertNumberedRows<Table extends SQLiteTable>(
  table: Table,
  number: SQLiteColumn,
): (tx: Tx, rows: readonly Table["$inferInsert"][]) => Promise<number[]> {
  const columns = Object.entries(getTableColumns(table));
  const insert = preparedQuery((tx) =>
    composeInsert(tx, { table, columns, options: {} }).returning({ number }).prepare(),
  );
  return async (tx, rows) => {
    if (rows.length === 0) return [];
    const created = await insert(tx).execute({ rows: encodeRows(columns, rows) });
    // Numbers ascend in insertion order, but SQLite may return them in any order.
    return created.map((row) => Number(row.number)).sort((a, b) => a - b);
  };
}

type Columns = readonly (readonly [property: string, column: SQLiteColumn])[];

const VALUE_TYPES: Readonly<Record<string, ValueType>> = {
  integer: "number",
  real: "real",
  text: "text",
};

function composeInsert(
  tx: Tx,
  { table, columns, options }: { table: SQLiteTable; columns: Columns; options: InsertOptions },
) {
  const types = columns.map(([, column]): [string, ValueType] => [
    column.name,
    VALUE_TYPES[column.getSQLType()] ?? "text",
  ]);
  const input = rowsParameter("rows", Object.fromEntries(types));
  const values = columns.map(([, column]) => numberOrNext(column));
  // Without a condition SQLite would parse `on conflict` as a join condition.
  const insert = tx
    .insert(table)
    .select(sql`select ${sql.join(values, sql`, `)} from (${input}) given where true`);
  const { onConflict } = options;
  if (onConflict === undefined) return insert;
  return onConflict === "ignore"
    ? insert.onConflictDoNothing()
    : insert.onConflictDoUpdate(onConflict);
}

function numberOrNext(column: SQLiteColumn): SQL {
  const input = sql`given.${sql.identifier(column.name)}`;
  if (!isNumbered(column)) return input;
  return selectByEngine({
    sqlite: input,
    postgres: sql`coalesce(${input}, ${lastNumber(column)} + row_number() over ())`,
  });
}

function encodeRows(columns: Columns, rows: readonly Record<string, unknown>[]): RowList {
  return listOfRows(
    rows.map((row) =>
      columns.map(([property, column]) => {
        const value = row[property] ?? column.default;
        if (value === undefined || value === null) return null;
        return column.mapToDriverValue(value) as number | string;
      }),
    ),
  );
}
