import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CairnError, stateConflict } from "../../shared/errors.ts";
import { packageRoot } from "../../shared/package.ts";
import { APPLICATION_ID, isMarked, requireOurs } from "./application-id.ts";
import { type Connection, openConnection } from "./open-connection.ts";
import { installRowLog } from "./row-triggers.ts";
import { installTotals } from "./totals-triggers.ts";

interface Migration {
  readonly tag: string;
}

/** Whether the schema is the one that this version knows. Throws conflict if it is newer. */
export function isUpToDate(connection: Connection): boolean {
  const known = listMigrations();
  return currentVersion(connection, known) === known.length;
}

/**
 * How many migrations a file has had, and the names of all known ones. Throws conflict if its schema is
 * newer.
 */
export function schemaOfFile(path: string): { version: number; known: readonly string[] } {
  const connection = openConnection({ path, mode: "read" });
  try {
    const known = listMigrations();
    return { version: currentVersion(connection, known), known: known.map(({ tag }) => tag) };
  } finally {
    connection.close();
  }
}

/**
 * Brings the schema up to date and marks the file as cairn's. `user_version` counts the applied migrations,
 * so opening a current file reads just two numbers. All migrations run in one BEGIN IMMEDIATE: of several
 * processes that open a new file, one migrates and the others find it done. Returns whether there was
 * anything to do.
 */
export function migrate(connection: Connection): boolean {
  const known = listMigrations();
  if (currentVersion(connection, known) === known.length && isMarked(connection)) return false;
  connection.exec("BEGIN IMMEDIATE");
  try {
    requireOurs(connection);
    for (const migration of known.slice(currentVersion(connection, known))) {
      applyMigration(connection, migration);
    }
    installRowLog(connection);
    installTotals(connection);
    connection.pragma(`user_version = ${known.length}`);
    connection.pragma(`application_id = ${APPLICATION_ID}`);
    connection.exec("COMMIT");
    return true;
  } catch (error) {
    if (connection.inTransaction) connection.exec("ROLLBACK");
    throw error;
  }
}

/** The bytes of a database with the present schema and no rows. */
export function newDatabase(): Buffer {
  const connection = openConnection({ path: ":memory:" });
  try {
    migrate(connection);
    return connection.serialize();
  } finally {
    connection.close();
  }
}

function applyMigration(connection: Connection, { tag }: Migration): void {
  const script = readFileSync(join(migrationsFolder(), `${tag}.sql`), "utf8");
  // A migration may change a table's check in place, for which the schema must be writable.
  connection.unsafeMode(true);
  try {
    for (const statement of script.split("--> statement-breakpoint")) connection.exec(statement);
  } catch (error) {
    if (!(error instanceof Error && /already exists|duplicate column/.test(error.message))) {
      throw error;
    }
    throw new CairnError(
      "conflict",
      "The database has newer tables than its schema number (PRAGMA user_version) says: another program changed that number. Set it back, or restore a backup.",
      undefined,
      { cause: error },
    );
  } finally {
    connection.unsafeMode(false);
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
