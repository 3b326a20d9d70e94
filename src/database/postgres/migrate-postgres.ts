import type { ClientBase } from "pg";
import type { Migration } from "./migrations.ts";
import { installRowTriggers } from "./row-triggers.ts";

/** Runs scripts in the schema that the transaction has entered. The caller holds the writer's lock. */
export async function migratePostgres(
  client: ClientBase,
  scripts: readonly Migration[],
): Promise<void> {
  for (const { sql } of scripts) await client.query(sql());
  await installRowTriggers(client);
}
