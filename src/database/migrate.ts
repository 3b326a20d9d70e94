import { readFileSync } from "node:fs";
import { join } from "node:path";
import { stateConflict } from "../kernel/errors.ts";
import { packageRoot } from "../kernel/package-root.ts";
import type { Connection } from "./open-connection.ts";

interface Migration {
  readonly tag: string;
}

/**
 * Brings the schema up to date. `user_version` counts the migrations that were applied, so that an
 * open of a current file reads one number. All run in one BEGIN IMMEDIATE: of several processes
 * that open a new file at once, one migrates and the others find it done.
 */
export function migrate(connection: Connection): void {
  const known = listMigrations();
  if (currentVersion(connection, known) === known.length) return;
  connection.exec("BEGIN IMMEDIATE");
  try {
    const applied = currentVersion(connection, known);
    for (const migration of known.slice(applied)) {
      const script = readFileSync(join(migrationsFolder(), `${migration.tag}.sql`), "utf8");
      for (const statement of script.split("--> statement-breakpoint")) connection.exec(statement);
    }
    connection.pragma(`user_version = ${known.length}`);
    connection.exec("COMMIT");
  } catch (error) {
    if (connection.inTransaction) connection.exec("ROLLBACK");
    throw error;
  }
}

function currentVersion(connection: Connection, known: readonly Migration[]): number {
  const version = Number(connection.pragma("user_version", { simple: true }));
  if (version <= known.length) return version;
  throw stateConflict(
    `The database was written by a newer cairn (schema ${version}, this one knows ${known.length}). Update cairn.`,
  );
}

function listMigrations(): readonly Migration[] {
  const journal = JSON.parse(
    readFileSync(join(migrationsFolder(), "meta", "_journal.json"), "utf8"),
  ) as { entries: Migration[] };
  return journal.entries;
}

function migrationsFolder(): string {
  return join(packageRoot(), "drizzle");
}
