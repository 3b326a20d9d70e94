import type { ClientBase } from "pg";
import { escapeIdentifier, escapeLiteral } from "./quote.ts";

/**
 * Removes deleted rows from every table and index of a schema and frees their space for new rows. It blocks
 * nobody and waits only for other vacuums.
 */
export async function freeDeletedRows(client: ClientBase, schema: string): Promise<void> {
  const tables = await tablesOf(client, schema);
  if (tables.length === 0) return;
  // Truncating a file would lock out all others.
  await client.query(`vacuum (index_cleanup on, truncate off) ${tables.join(", ")}`);
}

/**
 * Rewrites every table of a schema, so that its files contain nothing that was deleted. Each table is locked
 * meanwhile. Throws PostgreSQL's error if somebody keeps reading or writing one.
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
