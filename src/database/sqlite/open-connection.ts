import { accessSync, constants } from "node:fs";
import { basename, dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { sleep } from "../../shared/async.ts";
import { CairnError, isMissingFile, messageOf, stateConflict } from "../../shared/errors.ts";
import { hasRoomForFiles } from "../../shared/files.ts";
import { ProcessEnded, runOwnProcess } from "../../shared/own-process.ts";
import type { Tx } from "../database.ts";
import { defineTimeLimit } from "../time-limit.ts";
import { fileSize, isFileOrNothing } from "./database-file.ts";
import { type Connection, connectDriver } from "./driver.ts";
import { driverError } from "./driver-error.ts";
import { findSqliteCode, translateSqliteError } from "./sqlite-error.ts";

export type { Connection };

export interface OpenOptions {
  readonly path: string;
  readonly mode?: "write" | "read" | "immutable" | undefined;
  readonly isFrugal?: boolean | undefined;
  /** Initial content for ":memory:". Default: empty, without a schema. */
  readonly content?: Buffer | undefined;
}

export const BUSY_TIMEOUT_MS = 5_000;
const WAL_ATTEMPTS = 100;
/** Page cache per connection. A recall in 250 MB is an eighth faster than with a third of it. */
const PAGE_CACHE_KIB = 96_000;
/** Page cache of long-lived processes, which rely on the system's cache. */
const LOW_MEMORY_CACHE_KIB = 2_000;
const MAX_IDLE_LOG_BYTES = 16 * 1024 * 1024;

/**
 * Opens a connection with every pragma except journal mode, which writes: see
 * `enableWriteAheadLog`. `synchronous=FULL` makes acknowledged writes in WAL mode survive a power
 * failure.
 */
export function openConnection(options: OpenOptions): Connection {
  const { path, mode = "write", isFrugal = false } = options;
  requireFile(path);
  try {
    const file = mode === "immutable" ? `${pathToFileURL(path).href}${IMMUTABLE_SUFFIX}` : path;
    const connection = connectDriver(options.content ?? file, {
      readonly: mode !== "write",
      timeout: BUSY_TIMEOUT_MS,
    });
    try {
      configure(connection, isFrugal ? LOW_MEMORY_CACHE_KIB : PAGE_CACHE_KIB);
    } catch (error) {
      connection.close();
      throw error;
    }
    return cachePreparedStatements(connection);
  } catch (error) {
    throw (
      driverError(error) ??
      (mode === "write" ? writeError(error, path) : translateSqliteError(error, path))
    );
  }
}

/** SQLite codes if it cannot create the log's files, also because the disk is full. */
const NO_LOG_ERROR = /^SQLITE_(?:CANTOPEN|READONLY|IOERR_SHM)/;
const IMMUTABLE_SUFFIX = "?immutable=1";

/** Returns true for a connection that does not notice later writes of others. */
export function isImmutable(connection: Connection): boolean {
  return connection.name.endsWith(IMMUTABLE_SUFFIX);
}

/** Opens a connection for reading, also on a read-only medium or full disk, with any schema. */
export function openForReading(options: Pick<OpenOptions, "path" | "isFrugal">): Connection {
  const { path } = options;
  try {
    return requireReadable(openConnection({ ...options, mode: "read" }));
  } catch (error) {
    const takesNoLog = NO_LOG_ERROR.test(findSqliteCode(error) ?? "");
    if (!takesNoLog || fileSize(`${path}-wal`) > 0 || fileSize(path) === 0) {
      throw writeError(error, path);
    }
    return requireReadable(openConnection({ ...options, mode: "immutable" }));
  }
}

/** SQLite opens a file only at its first read. */
function requireReadable(connection: Connection): Connection {
  try {
    connection.prepare("select count(*) from sqlite_schema").get();
    return connection;
  } catch (error) {
    connection.close();
    throw translateSqliteError(error, connection.name);
  }
}

/** Translates a write error; SQLite reports a read-only folder as a log that it cannot open. */
export function writeError(error: unknown, path: string): unknown {
  const isRefused = findSqliteCode(error)?.startsWith("SQLITE_CANTOPEN") === true;
  if (!isRefused || !hasRoomForFiles(1) || (isWritable(path) && isWritable(dirname(path))))
    return translateSqliteError(error, path);
  return translateSqliteError(
    Object.assign(new Error(messageOf(error)), { code: "SQLITE_READONLY" }),
    path,
  );
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch (error) {
    return isMissingFile(error);
  }
}

/** Throws conflict unless it is a regular file: opening a named pipe would block. */
function requireFile(path: string): void {
  if (path === ":memory:" || isFileOrNothing(path)) return;
  throw stateConflict(
    `${basename(path)} is not a regular file and was left unchanged. Move it away or choose another name with --db.`,
  );
}

/** Throws unavailable, with the cure, if the driver does not load. */
export function checkDriver(): void {
  openConnection({ path: ":memory:" }).close();
}

/** Loads sqlite-vec, used only by the doctor. Returns false if it is unavailable or blocked. */
export async function loadVectorFunctions(tx: Tx): Promise<boolean> {
  const { $client: connection } = tx as Tx & { readonly $client: Connection };
  try {
    const { load } = await import("sqlite-vec");
    load(connection);
    return true;
  } catch {
    return false;
  }
}

/** No memory mapping: truncating a mapped file crashes the process. */
function configure(connection: Connection, cacheKib: number): void {
  defineTimeLimit(connection);
  connection.pragma("foreign_keys = ON");
  connection.pragma("synchronous = FULL");
  connection.pragma(`cache_size = -${cacheKib}`);
  connection.pragma("temp_store = MEMORY");
  connection.pragma(`journal_size_limit = ${MAX_IDLE_LOG_BYTES}`);
}

/** Switching to WAL ignores the busy timeout, so concurrent processes retry. */
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

/** Drizzle prepares every query again; this returns the cached statement for the text. */
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

/**
 * Allows `body` to write shadow tables of virtual tables, for repairs.
 *
 * The connection stays in this mode: switching makes SQLite recompile every statement, which took
 * 40 % of the time of an edit. The guard protects against untrusted SQL, which never runs here.
 */
export async function withShadowTables<T>(tx: Tx, body: () => Promise<T>): Promise<T> {
  const { $client: connection } = tx as Tx & { readonly $client: Connection };
  connection.unsafeMode(true);
  return await body();
}

const ERASE_TIMEOUT_MS = 15_000;
const ERASE_WAIT_MS = 50;
const ERASE_PROGRAM = new URL("./erase.child.ts", import.meta.url);

export class Erasure {
  readonly #maintain: (body: (connection: Connection) => void) => Promise<void>;
  readonly #closing = new AbortController();
  readonly #runningApart = new Set<Promise<unknown>>();

  /** `maintain` runs statements that no transaction may contain, on the writing connection. */
  constructor(maintain: (body: (connection: Connection) => void) => Promise<void>) {
    this.#maintain = maintain;
  }

  async runApart(path: string): Promise<void> {
    const { signal } = this.#closing;
    const erasing = runOwnProcess(ERASE_PROGRAM, { path }, { signal });
    this.#runningApart.add(erasing);
    try {
      await erasing;
    } catch (error) {
      if (!(error instanceof ProcessEnded)) throw error;
      await this.here();
    } finally {
      this.#runningApart.delete(erasing);
    }
  }

  async here(): Promise<void> {
    await this.#untilFree(rewriteFile);
    await this.#untilFree(emptyLog);
  }

  async close(reason: CairnError): Promise<void> {
    this.#closing.abort(reason);
    await Promise.allSettled(this.#runningApart);
  }

  /** Waits asynchronously, because the blocking reader may belong to this process. */
  async #untilFree(body: (connection: Connection) => void): Promise<void> {
    const deadline = Date.now() + ERASE_TIMEOUT_MS;
    for (;;) {
      try {
        await this.#maintain(body);
        return;
      } catch (error) {
        const busy = error instanceof CairnError && error.code === "busy";
        if (!busy || this.#closing.signal.aborted || Date.now() > deadline) throw error;
      }
      await sleep(ERASE_WAIT_MS * (0.5 + Math.random()));
    }
  }
}

/**
 * Rewrites the file without deleted content: dead entries of the text index and free pages. Fails
 * immediately if another process writes.
 */
function rewriteFile(connection: Connection): void {
  connection.pragma("busy_timeout = 0");
  connection.pragma("secure_delete = ON");
  try {
    for (const table of ["episode_text", "concept_text", "passage_text"]) {
      connection.exec(`INSERT INTO ${table}(${table}) VALUES ('optimize')`);
    }
    connection.exec("VACUUM");
  } finally {
    connection.pragma("secure_delete = OFF");
    connection.pragma("busy_timeout = 5000");
  }
}

function emptyLog(connection: Connection): void {
  connection.pragma("busy_timeout = 0");
  try {
    const [result] = connection.pragma("wal_checkpoint(TRUNCATE)") as { busy: number }[];
    if (result?.busy === 0) return;
    throw Object.assign(new Error("The log is in use."), { code: "SQLITE_BUSY" });
  } finally {
    connection.pragma("busy_timeout = 5000");
  }
}
