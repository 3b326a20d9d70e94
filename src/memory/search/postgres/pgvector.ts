import { sql } from "drizzle-orm";
import type { Tx } from "../../../database/index.ts";

/** Whether this database has the extension for vectors. */
export const hasPgvector = sql`exists (select 1 from pg_extension where extname = 'vector')`;

/** Whether the server has it to add. */
export const offersPgvector = sql`exists (select 1 from pg_available_extensions where name = 'vector')`;

/** Adds the extension where the server offers it and the user may; else works without it. */
export async function installPgvector(tx: Tx): Promise<void> {
  const [row] = await tx.all<{ offered: number }>(
    sql`select ${offersPgvector} and not ${hasPgvector} as offered`,
  );
  if (row?.offered !== 1) return;
  await tx.run(sql`savepoint pgvector`);
  try {
    await tx.run(sql`create extension if not exists vector with schema public`);
    await tx.run(
      sql`select set_config('search_path', current_setting('search_path') || ', public', true)`,
    );
  } catch {
    // Who may not add it is told once, with the cure, by the vector service.
    await tx.run(sql`rollback to savepoint pgvector`);
  }
  await tx.run(sql`release savepoint pgvector`);
}
