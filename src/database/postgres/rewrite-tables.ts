import type { ClientBase } from "pg";
import { escapeIdentifier, escapeLiteral } from "./quote.ts";

/**
 * Writes every table of a schema anew, so that nothing of what was deleted is left in its files.
 * Throws what PostgreSQL says when somebody goes on reading or writing one of them.
 */
export async function rewriteTables(client: ClientBase, schema: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select tablename as name from pg_catalog.pg_tables where schemaname = ${escapeLiteral(schema)} order by 1`,
  );
  await client.query("set lock_timeout = '15s'; set statement_timeout = 0");
  try {
    for (const { name } of rows) {
      await client.query(`vacuum full ${escapeIdentifier(schema)}.${escapeIdentifier(name)}`);
    }
  } finally {
    await client.query("reset lock_timeout; reset statement_timeout");
  }
}
