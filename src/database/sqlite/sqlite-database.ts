import { existsSync, linkSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { Mutex } from "async-mutex";
import { CairnError, invalidInput, isCairnError, stateConflict } from "../../shared/errors.ts";
import {
  abandonedDrafts,
  makeFolder,
  removeAbandonedDrafts,
  temporaryName,
} from "../../shared/files.ts";
import {
  type Database,
  type DatabaseOptions,
  type DatabaseStatus,
  OK_STATUS,
  type TextOccurrence,
  type Tx,
  type WriteOptions,
} from "../database.ts";
import { RecordedCopies } from "../recorded-copies.ts";
import { databaseFileExists, fileOfOtherCase } from "./database-file.ts";
import { type BeginOptions, FileAtPath } from "./file-at-path.ts";
import { findBytes } from "./find-bytes.ts";
import { createDatabase, isUpToDate } from "./migrate.ts";
import { type Connection, Erasure, openConnection } from "./open-connection.ts";
import { connect, type Handle, type OpenFile } from "./open-file.ts";
import { findSqliteCode, translateSqliteError } from "./sqlite-error.ts";

const RECHECK_INTERVAL_MS = 2_000;

class FoundDamage {
  /** The damaged file and the last time the damage was confirmed. */
  #found: { readonly file: OpenFile; readonly checkedAt: number } | undefined;

  note(error: unknown, file: OpenFile): void {
    if (isDamage(error)) this.#found = { file, checkedAt: Number.NEGATIVE_INFINITY };
  }

  /** `check` runs on the writing connection. Throws conflict if the damage persists. */
  async requireNone(
    current: OpenFile | undefined,
    check: (isSound: (connection: Connection) => boolean) => Promise<boolean>,
  ): Promise<void> {
    const { file, checkedAt = 0 } = this.#found ?? {};
    if (file === undefined || file !== current) return;
    // The replacement may be intact.
    if (!file.content.isUntouched) return;
    const isFresh = performance.now() - checkedAt < RECHECK_INTERVAL_MS;
    if (!isFresh && (await check(isSound)) && file.readsSoundly(isSound)) {
      this.#found = undefined;
      return;
    }
    if (!isFresh) this.#found = { file, checkedAt: performance.now() };
    throw stateConflict(
      "The database file is damaged: nothing was written. Restore a backup, or rescue what is readable with `cairn export`.",
    );
  }
}

/** Returns true for damage of the file itself; a damaged search index alone can be rebuilt. */
function isDamage(error: unknown): boolean {
  const code = findSqliteCode(error);
  if (code === "SQLITE_CORRUPT_VTAB") return false;
  return code?.startsWith("SQLITE_CORRUPT") === true || code === "SQLITE_NOTADB";
}

function isSound(connection: Connection): boolean {
  try {
    return connection.pragma("quick_check(1)", { simple: true }) === "ok";
  } catch (error) {
    if (isDamage(error)) return false;
    throw error;
  }
}

const MAX_NAMED = 5;

/** Lists where cairn may have stored earlier content of a database, one sentence per kind. */
function listStoredInFolder(path: string): string[] {
  const folder = dirname(path);
  const name = basename(path, ".db");
  const recordedCopies = new RecordedCopies(folder)
    .list()
    .filter(({ database }) => database === name);
  const targets = (kind: string) =>
    recordedCopies.filter((copy) => copy.kind === kind).map(({ target }) => basename(target));
  return [
    ...describeCopies("A deleted database", "in the bin", listBinned(join(folder, "bin"), name)),
    ...describeCopies("A copy", "next to it", targets("copy")),
    ...describeCopies("A backup", "where it was written", targets("backup")),
    ...describeCopies("An export", "where it was written", targets("export")),
  ];
}

function listBinned(bin: string, name: string): string[] {
  if (!existsSync(bin)) return [];
  const ofThis = new RegExp(`^${name.replaceAll(".", "\\.")}-\\d{8}T\\d{9}Z\\.db$`);
  return readdirSync(bin)
    .filter((file) => ofThis.test(file))
    .map((file) => basename(file, ".db"))
    .sort();
}

function describeCopies(what: string, where: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : "";
  return [
    `${what} ${where} may contain it: ${names.slice(0, MAX_NAMED).join(", ")}${more}. \`cairn purge --verify TEXT --everywhere\` checks.`,
  ];
}

export interface SqliteDatabaseOptions extends DatabaseOptions {
  readonly path: string;
  readonly writeTimeoutMs?: number;
}

const WRITE_TIMEOUT_MS = 60_000;
/** SQLite's limit is 512, and related files have longer names. */
const MAX_PATH_BYTES = 500;

/**
 * A SQLite database with one writer behind a mutex and a few readers, each with its own snapshot.
 * Opens no file before the first read or write; a read opens it read-only.
 */
export class SqliteDatabase implements Database {
  static #empty: Buffer | undefined;
  readonly engine = "sqlite";
  readonly isOnServer = false;
  readonly #options: SqliteDatabaseOptions;
  #memory: Handle | undefined;
  readonly #writeLock = new Mutex();
  readonly #files: FileAtPath;
  readonly #damage = new FoundDamage();
  #wasCurrent = false;
  readonly #erasure = new Erasure((body) => this.maintain(body));
  #closed = false;

  constructor(options: SqliteDatabaseOptions) {
    this.#options = options;
    this.#files = new FileAtPath({
      ...options,
      writeTimeoutMs: options.writeTimeoutMs ?? WRITE_TIMEOUT_MS,
      writeLock: this.#writeLock,
      requireOpen: () => this.#requireOpen(),
    });
    const bytes = Buffer.byteLength(options.path);
    if (bytes > MAX_PATH_BYTES) {
      throw invalidInput(
        `The path of the database has ${bytes} bytes, but SQLite allows ${MAX_PATH_BYTES}. Choose a --data-dir with a shorter path.`,
      );
    }
  }

  get path(): string {
    return this.#options.path;
  }

  get fileWorkedOnApart(): string | undefined {
    return this.#options.usesSeparateProcesses === true && !this.#isInMemory
      ? this.path
      : undefined;
  }

  get location(): string {
    return dirname(this.path);
  }

  exists(): Promise<boolean> {
    return Promise.resolve(
      this.#isInMemory ? this.#memory !== undefined : databaseFileExists(this.path),
    );
  }

  async status(): Promise<DatabaseStatus> {
    if (!(await this.exists())) return OK_STATUS;
    try {
      await this.read(() => Promise.resolve());
      return OK_STATUS;
    } catch (error) {
      if (!isCairnError(error) || error.code !== "conflict") throw error;
      return { state: "newer", message: error.message };
    }
  }

  async isCurrent(): Promise<boolean> {
    if (this.#wasCurrent || this.#isInMemory || !(await this.exists())) return true;
    const file = await this.#files.forReading();
    const reader = await file.takeReader();
    try {
      this.#wasCurrent = isUpToDate(reader.connection);
      return this.#wasCurrent;
    } finally {
      file.giveBack(reader);
    }
  }

  nameOfOtherCase(): Promise<string | undefined> {
    return Promise.resolve(fileOfOtherCase(this.path)?.replace(/\.db$/, ""));
  }

  requireSound(): Promise<void> {
    return this.#damage.requireNone(this.#files.current, (check) => this.maintain(check));
  }

  write<T>(body: (tx: Tx) => Promise<T>, options: WriteOptions = {}): Promise<T> {
    return this.#writeLock.runExclusive(() => this.#transact(body, options));
  }

  /**
   * SQLite allows one writer per file, so derived rows queue behind others. The commit is not
   * synced: after a power failure the rows are rebuilt.
   */
  writeDerived<T>(body: (tx: Tx) => Promise<T>, options: WriteOptions = {}): Promise<T> {
    return this.#writeLock.runExclusive(async () => {
      try {
        return await this.#transact(body, { ...options, mayBeLost: true });
      } finally {
        this.#files.current?.setWaitForDisk(true);
      }
    });
  }

  #begin(options: BeginOptions): Promise<Handle> {
    if (!this.#isInMemory) return this.#files.beginWrite(options);
    const memory = this.#inMemory();
    memory.connection.exec("BEGIN IMMEDIATE");
    return Promise.resolve(memory);
  }

  async #transact<T>(body: (tx: Tx) => Promise<T>, options: BeginOptions): Promise<T> {
    const { connection, tx } = await this.#begin(options);
    try {
      const result = await body(tx);
      connection.exec("COMMIT");
      if (!this.#isInMemory) await this.#files.requireSame(connection);
      return result;
    } catch (error) {
      if (connection.inTransaction) connection.exec("ROLLBACK");
      throw translateSqliteError(error, this.path);
    }
  }

  async refine(statements: readonly string[]): Promise<void> {
    for (const statement of statements) {
      await this.maintain((connection) => connection.exec(statement));
    }
  }

  async read<T>(body: (tx: Tx) => Promise<T>): Promise<T> {
    if (this.#isInMemory) return this.#writeLock.runExclusive(() => body(this.#inMemory().tx));
    const file = await this.#files.forReading();
    const reader = await file.takeReader();
    try {
      reader.connection.exec("BEGIN");
      const result = await body(reader.tx);
      file.knowLog();
      endRead(reader.connection);
      return result;
    } catch (error) {
      endTransaction(reader.connection);
      this.#damage.note(error, file);
      throw translateSqliteError(error, this.path);
    } finally {
      file.giveBack(reader);
    }
  }

  async claim<Rows, T>(
    choose: (tx: Tx) => Promise<Rows>,
    work: (rows: Rows) => Promise<T>,
  ): Promise<T> {
    return work(await this.read(choose));
  }

  /** An existing database is filled in place. */
  async fill<T>(body: (tx: Tx) => Promise<T>): Promise<T> {
    if (this.#isInMemory || (await this.exists())) return this.write(body);
    this.removeAbandonedDrafts();
    return fillFile(this.path, async (path) => {
      const draft = new SqliteDatabase({ ...this.#options, path });
      try {
        return await draft.write(body);
      } finally {
        await draft.close();
      }
    });
  }

  abandonedDrafts(): readonly string[] {
    return this.#isInMemory ? [] : abandonedDrafts(this.location, isDatabaseFile);
  }

  removeAbandonedDrafts(): void {
    if (!this.#isInMemory) removeAbandonedDrafts(this.location, isDatabaseFile);
  }

  findBytes(text: string): Promise<TextOccurrence[]> {
    return findBytes(this.path, text);
  }

  async findOtherCopies(): Promise<string[]> {
    return this.#isInMemory ? [] : listStoredInFolder(this.path);
  }

  maintain<T>(body: (connection: Connection) => T): Promise<T> {
    return this.#writeLock.runExclusive(async () => {
      try {
        const writer = this.#isInMemory ? this.#inMemory() : await this.#files.writer();
        return body(writer.connection);
      } catch (error) {
        throw translateSqliteError(error, this.path);
      }
    });
  }

  /**
   * Rewrites the file, so that file, pages and log contain no deleted data. Throws busy if another
   * process keeps using an earlier snapshot.
   */
  async erase(): Promise<void> {
    const path = this.fileWorkedOnApart;
    if (path === undefined) return this.#erasure.here();
    this.#requireOpen();
    await this.#erasure.runApart(path);
  }

  rewrite(): Promise<void> {
    return this.erase();
  }

  rest(): void {
    const file = this.#files.current;
    if (file?.isIdle && !this.#writeLock.isLocked()) file.closeIdle();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#erasure.close(isClosing());
    await this.#writeLock.runExclusive(() => {
      this.#files.current?.close();
      this.#memory?.connection.close();
    });
  }

  get #isInMemory(): boolean {
    return this.path === ":memory:";
  }

  #inMemory(): Handle {
    this.#requireOpen();
    if (this.#memory === undefined) {
      SqliteDatabase.#empty ??= createDatabase();
      const connection = openConnection({ path: this.path, content: SqliteDatabase.#empty });
      this.#memory = connect(connection, this.#options.onStatement);
    }
    return this.#memory;
  }

  #requireOpen(): void {
    if (this.#closed) throw isClosing();
  }
}

function isClosing(): CairnError {
  return new CairnError("busy", "The database is closing.");
}

function isDatabaseFile(file: string): boolean {
  return file.endsWith(".db");
}

/** A read that tolerated damage has its result, but SQLite may refuse to end the transaction. */
function endRead(connection: Connection): void {
  try {
    connection.exec("COMMIT");
  } catch {
    endTransaction(connection);
  }
}

/** The original error is reported instead of one from ending the transaction. */
function endTransaction(connection: Connection): void {
  try {
    if (connection.inTransaction) connection.exec("ROLLBACK");
  } catch {
    // A damaged file fails here again.
  }
}

/**
 * Fills a new database under a temporary name and renames it when complete, so that a failure
 * leaves no file and nobody reads a partial one. `fill` must close what it opened.
 */
async function fillFile<T>(path: string, fill: (draft: string) => Promise<T>): Promise<T> {
  const draft = temporaryName(path);
  makeFolder(dirname(draft));
  try {
    const result = await fill(draft);
    linkDraft(draft, path);
    return result;
  } finally {
    for (const suffix of ["", "-wal", "-shm"]) rmSync(`${draft}${suffix}`, { force: true });
  }
}

/** A link never replaces a database that another process has created in the meantime. */
function linkDraft(draft: string, path: string): void {
  try {
    linkSync(draft, path);
  } catch (error) {
    const exists = error instanceof Error && "code" in error && error.code === "EEXIST";
    if (!exists) throw error;
    throw stateConflict(
      `Another process has just created the database "${basename(path, ".db")}".`,
    );
  }
}
