import { existsSync } from "node:fs";
import DatabaseConstructor, { type Database as Connection } from "better-sqlite3";
import * as sqliteVec from "sqlite-vec";
import { translateSqliteError } from "./sqlite-error.ts";

export type { Connection };

export interface OpenOptions {
  /** Path of the file, or ":memory:". */
  readonly path: string;
  readonly readonly?: boolean;
}

/** Milliseconds that one statement waits for another process before SQLITE_BUSY. */
const BUSY_TIMEOUT_MS = 5_000;
const WAL_ATTEMPTS = 100;

/**
 * One connection with the vector functions loaded and every pragma set.
 * `synchronous=FULL` in WAL mode: an acknowledged write survives a power cut, not only a crash.
 */
export function openConnection(options: OpenOptions): Connection {
  try {
    const connection = new DatabaseConstructor(options.path, {
      readonly: options.readonly ?? false,
      timeout: BUSY_TIMEOUT_MS,
    });
    try {
      configure(connection, options);
    } catch (error) {
      connection.close();
      throw error;
    }
    return cachePreparedStatements(connection);
  } catch (error) {
    throw translateSqliteError(error);
  }
}

function configure(connection: Connection, options: OpenOptions): void {
  sqliteVec.load(connection);
  connection.pragma("foreign_keys = ON");
  connection.pragma("synchronous = FULL");
  connection.pragma("cache_size = -32000");
  // As much as SQLite maps at most: a search that reads all signs of a million items is a quarter faster.
  connection.pragma("mmap_size = 2147418112");
  connection.pragma("temp_store = MEMORY");
  if (options.readonly !== true && options.path !== ":memory:") enableWriteAheadLog(connection);
}

/** Switching to WAL ignores the busy timeout, so processes that open a new file at once retry. */
function enableWriteAheadLog(connection: Connection): void {
  for (let attempt = 1; ; attempt += 1) {
    try {
      connection.pragma("journal_mode = WAL");
      return;
    } catch (error) {
      const busy = error instanceof Error && "code" in error && error.code === "SQLITE_BUSY";
      if (!busy || attempt === WAL_ATTEMPTS) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

/** Drizzle prepares each query anew; the same text gets the same statement back. */
function cachePreparedStatements(connection: Connection): Connection {
  const limit = 500;
  const cache = new Map<string, ReturnType<Connection["prepare"]>>();
  const prepare = connection.prepare.bind(connection);
  connection.prepare = ((source: string) => {
    const known = cache.get(source);
    if (known !== undefined && !known.busy) return known;
    const statement = prepare(source);
    if (cache.size >= limit) cache.clear();
    cache.set(source, statement);
    return statement;
  }) as Connection["prepare"];
  return connection;
}

export function databaseFileExists(path: string): boolean {
  return path !== ":memory:" && existsSync(path);
}
