import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CairnError, stateConflict } from "../../shared/errors.ts";
import { packageRoot } from "../../shared/package.ts";
import { UNLOGGED_TABLES } from "../negation.ts";
import { fileSize } from "./database-file.ts";
import { type Connection, openConnection, openForReading } from "./open-connection.ts";

const APPLICATION_ID = 0x6361_6972;

const SIGNATURE_TABLES = [
  "cluster_entities",
  "concept_sources",
  "entity_relations",
  "episode_entities",
  "idempotency_keys",
];

export class ForeignDatabase extends CairnError {
  constructor() {
    super(
      "conflict",
      "The file is a SQLite database of another program, and was left as it is. Move it away or choose another name with --db.",
    );
  }
}

function hasApplicationId(connection: Connection): boolean {
  return applicationId(connection) === APPLICATION_ID;
}

/**
 * Throws conflict for another program's database. An empty one is accepted. Databases older than
 * the header id are recognized by their tables, even if some are missing.
 */
export function requireOwnDatabase(connection: Connection): void {
  const storedId = applicationId(connection);
  if (storedId === APPLICATION_ID) return;
  const tables = connection
    .prepare<[], { name: string }>("select name from sqlite_schema where type = 'table'")
    .all()
    .map(({ name }) => name);
  const known = SIGNATURE_TABLES.filter((name) => tables.includes(name));
  if (storedId === 0 && (tables.length === 0 || known.length > SIGNATURE_TABLES.length / 2)) return;
  throw new ForeignDatabase();
}

function applicationId(connection: Connection): number {
  return Number(connection.pragma("application_id", { simple: true }));
}

/**
 * Throws conflict for another program's database file. Leaves no trace; opens the log only if it
 * has content. Never call this for a file that this process has open, since closing any handle
 * releases the process's locks on it.
 */
export function requireOwnFile(path: string): void {
  const connection =
    fileSize(`${path}-wal`) > 0 ? openConnection({ path, mode: "read" }) : openImmutable(path);
  try {
    requireOwnDatabase(connection);
  } finally {
    connection.close();
  }
}

/** If other code opened the first connection, URLs may be disabled. */
function openImmutable(path: string): Connection {
  try {
    return openConnection({ path, mode: "immutable" });
  } catch {
    return openConnection({ path, mode: "read" });
  }
}

interface Column {
  readonly name: string;
  /** 1-based position in the primary key; 0 for other columns. */
  readonly pk: number;
}

/**
 * Installs triggers that log, for each written row, the change that wrote it and its former values.
 * They cover every statement and respect savepoints. Runs after each migration to include new
 * columns.
 *
 * Rows are attributed to the newest entry of `changes`; while it is empty (import into a new
 * database) nothing is logged. An insert stores no image, an update the changed columns before and
 * after, a delete the whole row.
 */
function installRowLog(connection: Connection): void {
  for (const name of triggerNames(connection)) connection.exec(`DROP TRIGGER "${name}"`);
  for (const table of loggedTables(connection)) {
    const columns = connection.pragma(`table_info("${table}")`) as Column[];
    for (const statement of createTriggers(table, columns)) connection.exec(statement);
  }
}

export function loggedTables(connection: Connection): string[] {
  const rows = connection
    .prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name",
    )
    .all() as { name: string }[];
  const names = rows.map(({ name }) => name);
  return names.filter((name) => !UNLOGGED_TABLES.includes(name) && !isInternal(name));
}

function isInternal(name: string): boolean {
  return /^sqlite_|^[a-z]+_(?:text|bits)(?:_|$)/.test(name);
}

function triggerNames(connection: Connection): string[] {
  const rows = connection
    .prepare("SELECT name FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'row_log_%'")
    .all() as { name: string }[];
  return rows.map(({ name }) => name);
}

function createTriggers(table: string, columns: readonly Column[]): string[] {
  const key = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
  const getKey = (row: string) =>
    `json_array(${key.map(({ name }) => `${row}."${name}"`).join(", ")})`;
  const differs = columns.map(({ name }) => `old."${name}" IS NOT new."${name}"`);
  const full = columns.map(({ name }) => `'${name}', old."${name}"`).join(", ");
  const changedColumnsJson = (row: string) =>
    `(SELECT json_group_object(name, value) FROM (${columns
      .map(
        ({ name }) =>
          `SELECT '${name}' AS name, ${row}."${name}" AS value WHERE old."${name}" IS NOT new."${name}"`,
      )
      .join(" UNION ALL ")}))`;
  return [
    createTrigger(table, "insert", { key: getKey("new"), before: "NULL", after: "NULL" }),
    createTrigger(table, "update", {
      key: getKey("old"),
      before: changedColumnsJson("old"),
      after: changedColumnsJson("new"),
      when: `(${differs.join(" OR ")})`,
    }),
    createTrigger(table, "delete", {
      key: getKey("old"),
      before: `json_object(${full})`,
      after: "NULL",
    }),
  ];
}

const NEWEST_CHANGE_SQL = "(SELECT max(id) FROM changes)";

function createTrigger(
  table: string,
  action: "insert" | "update" | "delete",
  entry: { key: string; before: string; after: string; when?: string },
): string {
  const when = [
    `${NEWEST_CHANGE_SQL} IS NOT NULL`,
    ...(entry.when === undefined ? [] : [entry.when]),
  ];
  return (
    `CREATE TRIGGER "row_log_${table}_${action}" AFTER ${action.toUpperCase()} ON "${table}" ` +
    `WHEN ${when.join(" AND ")} BEGIN ` +
    "INSERT INTO row_changes(change_id, table_name, row_key, action, before, after) " +
    `VALUES (${NEWEST_CHANGE_SQL}, '${table}', ${entry.key}, '${action}', ${entry.before}, ${entry.after}); END`
  );
}

interface Migration {
  readonly tag: string;
}

/** Schema of version 0.1, from 20 migrations. Later schema numbers continue from there. */
const BASE_VERSION = 20;
const UPGRADE_MIGRATION: Migration = { tag: "upgrade-0.1" };

export function isUpToDate(connection: Connection): boolean {
  const known = listMigrations();
  return currentVersion(connection, known) === getNewest(known);
}

/** Throws conflict if the schema is newer, or older than 0.1. */
export function isReadableSchema(connection: Connection): boolean {
  return currentVersion(connection, listMigrations()) >= BASE_VERSION;
}

const getNewest = (known: readonly Migration[]): number => BASE_VERSION + known.length;

/** Throws conflict if the file's schema is newer than the current one. */
export function schemaOfFile(path: string): {
  readonly version: number;
  readonly newest: number;
  readonly pending: readonly string[];
} {
  const connection = openForReading({ path });
  try {
    const known = listMigrations();
    const version = currentVersion(connection, known);
    const pending = pendingMigrations(version, known).map(({ tag }) => tag);
    return { version, newest: getNewest(known), pending };
  } finally {
    connection.close();
  }
}

/**
 * Migrates the schema and sets the header id. `user_version` counts the applied migrations, so
 * opening a current file reads two numbers. All migrations run in one BEGIN IMMEDIATE, so
 * concurrent processes migrate once. Returns false if nothing was pending.
 */
export function migrate(connection: Connection): boolean {
  const known = listMigrations();
  if (currentVersion(connection, known) === getNewest(known) && hasApplicationId(connection))
    return false;
  connection.exec("BEGIN IMMEDIATE");
  try {
    requireOwnDatabase(connection);
    for (const migration of pendingMigrations(currentVersion(connection, known), known)) {
      applyMigration(connection, migration);
    }
    installRowLog(connection);
    connection.pragma(`user_version = ${getNewest(known)}`);
    connection.pragma(`application_id = ${APPLICATION_ID}`);
    connection.exec("COMMIT");
    return true;
  } catch (error) {
    if (connection.inTransaction) connection.exec("ROLLBACK");
    throw error;
  }
}

export function createDatabase(): Buffer {
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
  // A migration may change a table's check in place, which requires a writable schema.
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
  return version > BASE_VERSION
    ? known.slice(version - BASE_VERSION)
    : [UPGRADE_MIGRATION, ...known.slice(1)];
}

function currentVersion(connection: Connection, known: readonly Migration[]): number {
  const version = Number(connection.pragma("user_version", { simple: true }));
  if (version > getNewest(known)) {
    throw stateConflict(
      `The database was written by a newer cairn (schema ${version}, this version supports ${getNewest(known)}). Update cairn.`,
    );
  }
  if (version === 0 || version >= BASE_VERSION) return version;
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
