import type { ClientBase } from "pg";
import { MAKE_TOTALS_ANEW } from "../totals/make-totals-anew.ts";
import { enterSchema } from "./database-names.ts";
import { listScripts, migratePostgres } from "./migrate-postgres.ts";
import { escapeIdentifier, escapeLiteral } from "./quote.ts";

/**
 * Makes a schema with everything that another one holds, which nobody writes meanwhile. The changes
 * come last: while there is none, the triggers note nothing.
 */
export async function copySchema(
  client: ClientBase,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  await client.query(
    `create schema ${escapeIdentifier(to)}; select ${enterSchema(escapeLiteral(to))}`,
  );
  await migratePostgres(client, { from: 0, scripts: listScripts() });
  await client.query("set constraints all deferred");
  const { rows } = await client.query<{ name: string }>(
    `select tablename as name from pg_catalog.pg_tables where schemaname = ${escapeLiteral(from)} and tablename <> 'totals' order by tablename = 'changes', tablename`,
  );
  for (const { name } of rows) {
    const table = escapeIdentifier(name);
    await client.query(
      `insert into ${escapeIdentifier(to)}.${table} select * from ${escapeIdentifier(from)}.${table}`,
    );
  }
  for (const statement of MAKE_TOTALS_ANEW) await client.query(statement);
}
