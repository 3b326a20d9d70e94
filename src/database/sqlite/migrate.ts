import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CairnError, stateConflict } from "../../shared/errors.ts";
import { packageRoot } from "../../shared/package.ts";
import { APPLICATION_ID, isMarked, requireOurs } from "./application-id.ts";
import { type Connection, openConnection } from "./open-connection.ts";
import { installRowLog } from "./row-triggers.ts";

interface Migration {
  readonly tag: string;
}

/** The schema of 0.1, which 20 migrations made. The numbers of later schemas continue from there. */
const BASE = 20;
const UPGRADE: Migration = { tag: "upgrade-0.1" };

/**
 * True if the schema is the one that this version writes. Throws conflict if it is newer, or from
 * before 0.1.
 */
export function isUpToDate(connection: Connection): boolean {
  const known = listMigrations();
  return currentVersion(connection, known) === newestOf(known);
}

/** True if this version can read the schema. Throws conflict if it is newer, or from before 0.1. */
export function isReadableSchema(connection: Connection): boolean {
  return currentVersion(connection, listMigrations()) >= BASE;
}

const newestOf = (known: readonly Migration[]): number => BASE + known.length;

/** The schema of a file, the newest one, and the migrations between them. Throws conflict if it is newer. */
export function schemaOfFile(path: string): {
  readonly version: number;
  readonly newest: number;
  readonly pending: readonly string[];
} {
  const connection = openConnection({ path, mode: "read" });
  try {
    const known = listMigrations();
    const version = currentVersion(connection, known);
    const pending = pendingMigrations(version, known).map(({ tag }) => tag);
    return { version, newest: newestOf(known), pending };
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
  if (currentVersion(connection, known) === newestOf(known) && isMarked(connection)) return false;
  connection.exec("BEGIN IMMEDIATE");
  try {
    requireOurs(connection);
    for (const migration of pendingMigrations(currentVersion(connection, known), known)) {
      applyMigration(connection, migration);
    }
    installRowLog(connection);
    connection.pragma(`user_version = ${newestOf(known)}`);
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

function pendingMigrations(version: number, known: readonly Migration[]): readonly Migration[] {
  if (version === 0) return known;
  return version > BASE ? known.slice(version - BASE) : [UPGRADE, ...known.slice(1)];
}

function currentVersion(connection: Connection, known: readonly Migration[]): number {
  const version = Number(connection.pragma("user_version", { simple: true }));
  if (version > newestOf(known)) {
    throw stateConflict(
      `The database was written by a newer cairn (schema ${version}, this one knows ${newestOf(known)}). Update cairn.`,
    );
  }
  if (version === 0 || version >= BASE) return version;
  throw stateConflict(
    `The database was written by a version before 0.1 (schema ${version}). Export it with that version, and import the file.`,
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
