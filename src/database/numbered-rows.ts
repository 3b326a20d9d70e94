import { type Column, getTableName, is, type SQL, sql } from "drizzle-orm";
import { SQLiteInteger } from "drizzle-orm/sqlite-core";

export function isNumbered(column: Column): boolean {
  return is(column, SQLiteInteger) && column.primary;
}

/**
 * Number of a new row for engines without auto-numbering: one more than the highest ever used,
 * including deleted rows. Safe because writes exclude each other.
 */
export function nextNumber(column: Column, index = 0): SQL {
  return sql`(${lastNumber(column)} + ${sql.raw(String(index + 1))})`;
}

export function lastNumber(column: Column): SQL {
  const name = sql.raw(`'${getTableName(column.table)}'`);
  const used = sql`(select number from used_numbers where table_name = ${name})`;
  return sql`(select greatest(max(${sql.identifier(column.name)}), ${used}, 0) from ${column.table})`;
}
