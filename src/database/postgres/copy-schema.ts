import type { ClientBase } from "pg";
import { enterSchema } from "./database-names.ts";
import { migratePostgres } from "./migrate-postgres.ts";
import type { Migration } from "./migrations.ts";
import { escapeIdentifier, escapeLiteral } from "./quote.ts";

export interface CopiedSchema {
  readonly from: string;
  readonly to: string;
  /** The scripts that made the source schema. */
  readonly scripts: readonly Migration[];
}

/**
 * Creates a schema with a copy of everything in another one that nobody writes to meanwhile. The table of
 * changes is copied last: while it is empty, triggers record nothing.
 */
export async function copySchema(
  client: ClientBase,
  { from, to, scripts }: CopiedSchema,
): Promise<void> {
  await client.query(
    `create schema ${escapeIdentifier(to)}; select ${enterSchema(escapeLiteral(to))}`,
  );
  await migratePostgres(client, scripts);
  await client.query("set constraints all deferred");
  const { rows } = await client.query<{ name: string }>(
    `select tablename as name from pg_catalog.pg_tables where schemaname = ${escapeLiteral(from)} order by tablename = 'changes', tablename`,
  );
  for (const { name } of rows) {
    const table = escapeIdentifier(name);
    await makeIfMissing(client, { name, from, to });
    await client.query(
      `insert into ${escapeIdentifier(to)}.${table} select * from ${escapeIdentifier(from)}.${table}`,
    );
  }
}

/**
 * Tables of the vector index are made with the first vector, not by a migration. Their search graphs are made
 * when vectors are next counted.
 */
async function makeIfMissing(
  client: ClientBase,
  { name, from, to }: { readonly name: string; readonly from: string; readonly to: string },
): Promise<void> {
  const source = `${escapeIdentifier(from)}.${escapeIdentifier(name)}`;
  const target = `${escapeIdentifier(to)}.${escapeIdentifier(name)}`;
  const { rows } = await client.query<{ key: string | null }>(
    `select (select pg_get_constraintdef(oid) from pg_catalog.pg_constraint
        where conrelid = ${escapeLiteral(source)}::regclass and contype = 'p') as key
      where to_regclass(${escapeLiteral(target)}) is null`,
  );
  const [missing] = rows;
  if (missing === undefined) return;
  const key = missing.key === null ? "" : `, ${missing.key}`;
  await client.query(`create table ${target} (like ${source}${key})`);
}
