import { sql } from "drizzle-orm";
import type { Tx } from "./tx.ts";

const MAX_ITEMS = 20;

/** Faults that the engine itself finds in how it stores the database. */
export async function integrityFaults(tx: Tx): Promise<string[]> {
  if (tx.engine === "sqlite") {
    const rows = await tx.all<{ integrity_check: string }>(
      sql`pragma integrity_check(${sql.raw(String(MAX_ITEMS))})`,
    );
    return rows.map((row) => row.integrity_check).filter((text) => text !== "ok");
  }
  // PostgreSQL notices damaged files only when it reads them; this query finds what it knows beforehand.
  const rows = await tx.all<{ name: string }>(sql`
    select relname as name from pg_catalog.pg_index join pg_catalog.pg_class on pg_class.oid = indexrelid
    where not indisvalid and relnamespace = current_schema()::regnamespace order by relname limit ${MAX_ITEMS}`);
  return rows.map(({ name }) => `the index ${name} is not valid`);
}
