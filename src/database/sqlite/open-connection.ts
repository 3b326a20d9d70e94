import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import * as sqliteVec from "sqlite-vec";
import { stateConflict } from "../../shared/errors.ts";
import { defineTimeLimit } from "../time-limit.ts";
import { isFileOrNothing } from "./database-file.ts";
import { type Connection, connectDriver } from "./driver.ts";
import { driverError } from "./driver-error.ts";
import { translateSqliteError } from "./sqlite-error.ts";

export type { Connection };

export interface OpenOptions {
  /** Path of the file, or ":memory:". */
  readonly path: string;
  readonly mode?: "write" | "read" | "immutable" | undefined;
  readonly isFrugal?: boolean | undefined;
  /** For ":memory:": the bytes of a database that it begins as. Default: an empty one, without a schema. */
  readonly content?: Buffer | undefined;
}

/** Milliseconds that one statement waits for another process before SQLITE_BUSY. */
export const BUSY_TIMEOUT_MS = 5_000;
const WAL_ATTEMPTS = 100;
/**
 * Size of a connection's page cache. A recall in 250 MB (100 000 episodes) takes an eighth less time than
 * with a third of it; one reader at a time does nearly all reading.
 */
const PAGE_CACHE_KIB = 96_000;
/** The page cache of a long-lived process; the system also caches pages while it has room. */
const FRUGAL_CACHE_KIB = 2_000;
/** The log is cut to this size after it was written back, however large a slow reader let it grow. */
const MAX_IDLE_LOG_BYTES = 16 * 1024 * 1024;

/**
 * Opens one connection with the vector functions and every pragma except journal mode, which writes: see
 * `enableWriteAheadLog`. `synchronous=FULL` in WAL mode makes acknowledged writes survive a power cut, not
 * only a crash.
 */
export function openConnection(options: OpenOptions): Connection {
  const { path, mode = "write", isFrugal = false } = options;
  requireFile(path);
  try {
    const file = mode === "immutable" ? `${pathToFileURL(path).href}?immutable=1` : path;
    const connection = connectDriver(options.content ?? file, {
      readonly: mode !== "write",
      timeout: BUSY_TIMEOUT_MS,
    });
    try {
      configure(connection, isFrugal ? FRUGAL_CACHE_KIB : PAGE_CACHE_KIB);
    } catch (error) {
      connection.close();
      throw error;
    }
    return cachePreparedStatements(connection);
  } catch (error) {
    throw driverError(error) ?? translateSqliteError(error);
  }
}

/**
 * Throws conflict for anything but a regular file. Opening a named pipe would block the whole process until
 * somebody writes to it.
 */
function requireFile(path: string): void {
  if (path === ":memory:" || isFileOrNothing(path)) return;
  throw stateConflict(
    `${basename(path)} is no regular file, and was left as it is. Move it away or choose another name with --db.`,
  );
}

/**
 * Throws unavailable, with the cure, if the driver does not load, before anything is promised to a caller.
 */
export function checkDriver(): void {
  openConnection({ path: ":memory:" }).close();
}

/** Only a check of the doctor uses sqlite-vec, so a system for which it is not built does without that check. */
function loadVectorExtension(connection: Connection): void {
  try {
    sqliteVec.load(connection);
  } catch {
    // Not built for this system, or blocked by it.
  }
}

/** Files are read, never memory-mapped: if a mapped file is truncated, the process crashes. */
function configure(connection: Connection, cacheKib: number): void {
  loadVectorExtension(connection);
  defineTimeLimit(connection);
  connection.pragma("foreign_keys = ON");
  connection.pragma("synchronous = FULL");
  connection.pragma(`cache_size = -${cacheKib}`);
  connection.pragma("temp_store = MEMORY");
  connection.pragma(`journal_size_limit = ${MAX_IDLE_LOG_BYTES}`);
}

/** Switching to WAL ignores the busy timeout, so processes that open a new file at the same time retry. */
export function enableWriteAheadLog(connection: Connection): void {
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

/** Drizzle prepares every query again; this returns the same statement for the same text. */
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
