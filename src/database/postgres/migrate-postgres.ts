import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ClientBase } from "pg";
import { stateConflict } from "../../kernel/errors.ts";
import { packageRoot } from "../../kernel/package-root.ts";
import { installRowTriggers } from "./row-triggers.ts";
import { installTotals } from "./totals-triggers.ts";

const FOLDER = join("drizzle", "postgres");

/** Names of the scripts in the order in which they run; a released one stays in its place. */
export function listScripts(): readonly string[] {
  return JSON.parse(readFileSync(join(packageRoot(), FOLDER, "scripts.json"), "utf8")) as string[];
}

export function readScript(name: string): string {
  return readFileSync(join(packageRoot(), FOLDER, `${name}.sql`), "utf8");
}

/** Throws conflict for a schema that is newer than this cairn. */
export function requireKnown(version: number, known: number): void {
  if (version <= known) return;
  throw stateConflict(
    `The database was written by a newer cairn (schema ${version}, this one knows ${known}). Update cairn.`,
  );
}

/** Brings the schema that the transaction has entered up to date. The writer's lock is held. */
export async function migratePostgres(
  client: ClientBase,
  { from, scripts }: { from: number; scripts: readonly string[] },
): Promise<void> {
  for (const name of scripts.slice(from)) {
    await client.query(readScript(name));
  }
  await installRowTriggers(client);
  await installTotals(client);
}
