import { chmodSync, copyFileSync, existsSync, linkSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Database } from "../../src/database/index.ts";
import { migrate } from "../../src/database/sqlite/migrate.ts";
import { enableWriteAheadLog, openConnection } from "../../src/database/sqlite/open-connection.ts";

/** Path of an empty database with the current schema, once per process. */
let migrated: string | undefined;

/**
 * Starts a new database file as a copy of a migrated one, because migrations take three quarters
 * of its creation time.
 */
export function copyMigratedDatabase(database: Database, path: string): Database {
  const write = database.write.bind(database);
  // If the file is missing after the first write, something deleted it.
  let isNew = !existsSync(path);
  database.write = (...given) => {
    if (isNew && !existsSync(path) && existsSync(dirname(path))) linkCopy(path);
    isNew = false;
    return write(...given);
  };
  return database;
}

function linkCopy(path: string): void {
  migrated ??= createMigratedFile();
  const copy = `${migrated}-copy`;
  copyFileSync(migrated, copy);
  try {
    // Links atomically, and never replaces a file of another process.
    linkSync(copy, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(copy);
  }
}

function createMigratedFile(): string {
  const path = join(mkdtempSync(join(tmpdir(), "cairn-migrated-")), "new.db");
  const connection = openConnection({ path });
  try {
    enableWriteAheadLog(connection);
    migrate(connection);
  } finally {
    connection.close();
  }
  chmodSync(path, 0o600);
  return path;
}
