import type { ClientBase } from "pg";
import { escapeIdentifier, escapeLiteral } from "./quote.ts";

/**
 * Takes what was deleted out of every table and index of a schema, and frees its place for what is
 * written next. Nobody waits for it, and it waits for nobody but another vacuum.
 */
export async function freeDeletedRows(client: ClientBase, schema: string): Promise<void> {
  const tables = await tablesOf(client, schema);
  if (tables.length === 0) return;
  // To cut a file short it would lock out all others.
  await client.query(`vacuum (index_cleanup on, truncate off) ${tables.join(", ")}`);
}

/**
 * Writes every table of a schema anew, so that nothing of what was deleted is left in its files. Each
 * is locked meanwhile. Throws what PostgreSQL says when somebody goes on reading or writing one.
 */
export async function rewriteTables(client: ClientBase, schema: string): Promise<void> {
  const tables = await tablesOf(client, schema);
  for (const table of tables) await client.query(`vacuum full ${table}`);
}

async function tablesOf(client: ClientBase, schema: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select tablename as name from pg_catalog.pg_tables where schemaname = ${escapeLiteral(schema)} order by 1`,
  );
  return rows.map(({ name }) => `${escapeIdentifier(schema)}.${escapeIdentifier(name)}`);
}
