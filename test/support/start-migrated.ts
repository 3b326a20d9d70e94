import { chmodSync, copyFileSync, existsSync, linkSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Database } from "../../src/database/index.ts";
import { migrate } from "../../src/database/sqlite/migrate.ts";
import { enableWriteAheadLog, openConnection } from "../../src/database/sqlite/open-connection.ts";

/** Of this process: an empty database with the present schema. */
let migrated: string | undefined;

/**
 * Lets the first write to a new file begin with a copy of a migrated database. Migrating each of the
 * hundreds of databases of a run takes three quarters of the time of making them.
 */
export function startMigrated(database: Database, path: string): Database {
  const write = database.write.bind(database);
  // Later, a file that is missing was taken away.
  let isNew = !existsSync(path);
  database.write = (...given) => {
    if (isNew && !existsSync(path) && existsSync(dirname(path))) placeCopy(path);
    isNew = false;
    return write(...given);
  };
  return database;
}

function placeCopy(path: string): void {
  migrated ??= migratedFile();
  const copy = `${migrated}-copy`;
  copyFileSync(migrated, copy);
  try {
    // Appears whole, and never takes the place of a file that another process has made.
    linkSync(copy, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(copy);
  }
}

function migratedFile(): string {
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
