import { sql } from "drizzle-orm";
import type { Tx } from "../../../database/index.ts";

/** True if this database has the pgvector extension. */
export const hasPgvector = sql`exists (select 1 from pg_extension where extname = 'vector')`;

/** True if the server offers the pgvector extension. */
export const offersPgvector = sql`exists (select 1 from pg_available_extensions where name = 'vector')`;

/**
 * Installs the extension if the server offers it and the user may install it; otherwise cairn works without
 * it.
 */
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
    await tx.run(sql`rollback to savepoint pgvector`);
  }
  await tx.run(sql`release savepoint pgvector`);
}
