import { sql } from "drizzle-orm";
import type { LeftOver } from "../database.ts";
import type { Tx } from "../tx.ts";

const MAX_FOUND = 20;

interface TextColumn {
  readonly table: string;
  readonly column: string;
}

/** Searches every text of every table, as written and as indexes and JSON encode it. */
export async function findInTables(tx: Tx, text: string): Promise<LeftOver[]> {
  const forms = [...new Set([text, text.toLowerCase(), JSON.stringify(text).slice(1, -1)])];
  const columns = await tx.all<TextColumn>(
    sql`select table_name as "table", column_name as "column" from information_schema.columns where table_schema = current_schema() and data_type = 'text' order by 1, 2`,
  );
  const found: LeftOver[] = [];
  for (const { table, column } of columns) {
    const name = sql.identifier(column);
    for (const form of forms) {
      const rows = await tx.all<{ offset: number }>(
        sql`select strpos(${name}, ${form}) - 1 as "offset" from ${sql.identifier(table)} where strpos(${name}, ${form}) > 0 limit ${MAX_FOUND}`,
      );
      found.push(...rows.map(({ offset }) => ({ file: `${table}.${column}`, offset })));
    }
  }
  return found.slice(0, MAX_FOUND);
}
