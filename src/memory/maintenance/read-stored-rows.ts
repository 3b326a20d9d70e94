import type { SQL } from "drizzle-orm";
import { sqliteCodeOf, type Tx } from "../../database/index.ts";
import type { ExportedTable } from "./exported-tables.ts";

/** A row as Drizzle gives it. */
export type StoredRow = Readonly<Record<string, unknown>>;

/** Stands for rows among which one is damaged. */
export const unreadable = Symbol("unreadable");

export interface StoredRows {
  readonly where: SQL | undefined;
  readonly order: SQL[];
  readonly limit: number;
}

/** Rows of a table, or that they cannot be read: a page of the file or a value is damaged. */
export async function readRows(
  tx: Tx,
  { table }: ExportedTable,
  { where, order, limit }: StoredRows,
): Promise<StoredRow[] | typeof unreadable> {
  try {
    return await tx
      .select()
      .from(table)
      .where(where)
      .orderBy(...order)
      .limit(limit);
  } catch (error) {
    if (isDamage(error)) return unreadable;
    throw error;
  }
}

/** JSON that is none, a page that is none, a table that is gone. */
export function isDamage(error: unknown): boolean {
  const code = sqliteCodeOf(error);
  const isOfFile = code === "SQLITE_ERROR" || (code?.startsWith("SQLITE_CORRUPT") ?? false);
  return error instanceof SyntaxError || isOfFile;
}
