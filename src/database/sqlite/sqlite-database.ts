import { dirname } from "node:path";
import { Mutex } from "async-mutex";
import { sleep } from "../../kernel/abort.ts";
import { abandonedDrafts, removeAbandonedDrafts } from "../../kernel/draft-file.ts";
import {
  CairnError,
  invalidInput,
  isCairnError,
  notFound,
  stateConflict,
} from "../../kernel/errors.ts";
import { makeFolder } from "../../kernel/make-folder.ts";
import { askOwnProcess, ProcessEnded } from "../../kernel/own-process.ts";
import type { Database, DatabaseOptions, LeftOver, WriteOptions } from "../database.ts";
import { IN_ORDER, type Standing } from "../standing.ts";
import type { Tx } from "../tx.ts";
import {
  createPrivately,
  databaseFileExists,
  fileOfOtherCase,
  identityOf,
} from "./database-file.ts";
import { emptyLog, rewriteFile } from "./erase.ts";
import { fillFile } from "./fill-file.ts";
import { findBytes } from "./find-bytes.ts";
import { keptInFolder } from "./kept-in-folder.ts";
import { migrate } from "./migrate.ts";
import { BUSY_TIMEOUT_MS, type Connection, openConnection } from "./open-connection.ts";
import { connect, type Handle, OpenFile } from "./open-file.ts";
import { sqliteCodeOf, translateSqliteError } from "./sqlite-error.ts";

export interface SqliteDatabaseOptions extends DatabaseOptions {
  /** Path of the file, or ":memory:". */
  readonly path: string;
  /** How long a write waits for other processes, in milliseconds. */
  readonly writeTimeoutMs?: number;
}

interface BeginOptions extends WriteOptions {
  /** Whether a power cut may take back the commit. */
  readonly mayBeLost?: boolean;
}

const WRITE_TIMEOUT_MS = 60_000;
/** How long a check for damage counts as current, since it reads the whole file. */
const CHECKED_AGAIN_MS = 2_000;
const ERASE_TIMEOUT_MS = 15_000;
const ERASE_WAIT_MS = 50;
const ERASER = new URL("./erase.child.ts", import.meta.url);
/** SQLite's limit is 512, and the names of the files beside it are longer. */
const MAX_PATH_BYTES = 500;

/**
 * One SQLite database with one writer behind a mutex and a few readers, each seeing one snapshot. No file is
 * opened before the first read or write, and a read opens it read-only. Before each use the open file is
 * compared with the one that the path leads to: a file that was moved, removed or replaced is given up, so
 * that no write is acknowledged into a file without a name.
 */
export class SqliteDatabase implements Database {
  readonly engine = "sqlite";
  readonly isOnServer = false;
  readonly newestSeen = undefined;
  readonly #options: SqliteDatabaseOptions;
  /** For ":memory:": its only connection, made when first needed. */
  #memory: Handle | undefined;
  readonly #writeLock = new Mutex();
  #file: OpenFile | undefined;
  readonly #closing = new AbortController();
  readonly #erasingApart = new Set<Promise<unknown>>();
  #closed = false;
  /** A file in which a read found damage, and when the damage was last confirmed. */
  #damage: { readonly file: OpenFile; readonly checkedAt: number } | undefined;

  /** Throws invalid_input for a path that is too long for SQLite. */
  constructor(options: SqliteDatabaseOptions) {
    this.#options = options;
    const bytes = Buffer.byteLength(options.path);
    if (bytes > MAX_PATH_BYTES) {
      throw invalidInput(
        `The path of the database has ${bytes} bytes, and SQLite takes ${MAX_PATH_BYTES}. Choose a --data-dir with a shorter path.`,
      );
    }
  }

  /** Path of the file, or ":memory:". */
  get path(): string {
    return this.#options.path;
  }

  get fileWorkedOnApart(): string | undefined {
    return this.#options.worksApart === true && !this.#isInMemory ? this.path : undefined;
  }

  get location(): string {
    return dirname(this.path);
  }

  isThere(): Promise<boolean> {
    return Promise.resolve(
      this.#isInMemory ? this.#memory !== undefined : databaseFileExists(this.path),
    );
  }

  async standing(): Promise<Standing> {
    if (!(await this.isThere())) return IN_ORDER;
    try {
      await this.read(() => Promise.resolve());
      return IN_ORDER;
    } catch (error) {
      if (!isCairnError(error) || error.code !== "conflict") throw error;
      return { state: "newer", message: error.message };
    }
  }

  nameOfOtherCase(): Promise<string | undefined> {
    return Promise.resolve(fileOfOtherCase(this.path)?.replace(/\.db$/, ""));
  }

  async requireSound(): Promise<void> {
    const { file, checkedAt = 0 } = this.#damage ?? {};
    if (file === undefined || file !== this.#file) return;
    // The file that replaced it may be whole.
    if (!file.content.isUntouched) return;
    const isFresh = performance.now() - checkedAt < CHECKED_AGAIN_MS;
    if (!isFresh && (await this.maintain(isSound)) && file.readsSoundly(isSound)) {
      this.#damage = undefined;
      return;
    }
    if (!isFresh) this.#damage = { file, checkedAt: performance.now() };
    throw stateConflict(
      "The database file is damaged, as a read has found: nothing was written. Restore a backup, or rescue what is readable with `cairn export`.",
    );
  }

  /**
   * Runs one transaction that excludes all other writers in any process. It is rolled back if `body` rejects.
   */
  write<T>(body: (tx: Tx) => Promise<T>, options: WriteOptions = {}): Promise<T> {
    return this.#writeLock.runExclusive(() => this.#transact(body, options));
  }

  /**
   * SQLite allows one writer a file, so derived rows wait for all others. Their commit does not wait for the
   * disk: if the power fails they are lost, and made again or not missed.
   */
  writeDerived<T>(body: (tx: Tx) => Promise<T>, options: WriteOptions = {}): Promise<T> {
    return this.#writeLock.runExclusive(async () => {
      try {
        return await this.#transact(body, { ...options, mayBeLost: true });
      } finally {
        this.#file?.setWaitForDisk(true);
      }
    });
  }

  async #transact<T>(body: (tx: Tx) => Promise<T>, options: BeginOptions): Promise<T> {
    const { connection, tx } = await this.#beginWrite(options);
    try {
      const result = await body(tx);
      connection.exec("COMMIT");
      this.#requireSameFile();
      await this.#requireSameContent(connection);
      return result;
    } catch (error) {
      if (connection.inTransaction) connection.exec("ROLLBACK");
      throw translateSqliteError(error);
    }
  }

  async refine(statements: readonly string[]): Promise<void> {
    for (const statement of statements) {
      await this.maintain((connection) => connection.exec(statement));
    }
  }

  /** Runs one read transaction, in which `body` sees the state of one moment. */
  async read<T>(body: (tx: Tx) => Promise<T>): Promise<T> {
    if (this.#isInMemory) return this.#writeLock.runExclusive(() => body(this.#inMemory().tx));
    const file = await this.#fileToRead();
    const reader = await file.takeReader();
    try {
      reader.connection.exec("BEGIN");
      const result = await body(reader.tx);
      file.knowLog();
      endRead(reader.connection);
      return result;
    } catch (error) {
      endTransaction(reader.connection);
      if (isDamage(error)) this.#damage = { file, checkedAt: Number.NEGATIVE_INFINITY };
      throw translateSqliteError(error);
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
    if (this.#isInMemory || (await this.isThere())) return this.write(body);
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

  /** Removes the drafts of every database of the folder whose processes are gone. */
  removeAbandonedDrafts(): void {
    if (!this.#isInMemory) removeAbandonedDrafts(this.location, isDatabaseFile);
  }

  findBytes(text: string): Promise<LeftOver[]> {
    return findBytes(this.path, text);
  }

  async keptElsewhere(): Promise<string[]> {
    return this.#isInMemory ? [] : keptInFolder(this.path);
  }

  /** Runs a statement outside of any transaction, such as VACUUM or a checkpoint. */
  maintain<T>(body: (connection: Connection) => T): Promise<T> {
    return this.#writeLock.runExclusive(async () => {
      try {
        const writer = this.#isInMemory ? this.#inMemory() : await this.#writer();
        return body(writer.connection);
      } catch (error) {
        throw translateSqliteError(error);
      }
    });
  }

  /**
   * Rewrites the file, so that file, pages and log contain nothing that was deleted. Throws busy if another
   * process keeps reading or writing the former state.
   */
  async erase(): Promise<void> {
    const path = this.fileWorkedOnApart;
    if (path === undefined) return this.#eraseHere();
    this.#requireOpen();
    const { signal } = this.#closing;
    const erasing = askOwnProcess(ERASER, { path }, { signal });
    this.#erasingApart.add(erasing);
    try {
      await erasing;
    } catch (error) {
      if (!(error instanceof ProcessEnded)) throw error;
      await this.#eraseHere();
    } finally {
      this.#erasingApart.delete(erasing);
    }
  }

  rewrite(): Promise<void> {
    return this.erase();
  }

  async #eraseHere(): Promise<void> {
    await this.#untilFree(rewriteFile);
    await this.#untilFree(emptyLog);
  }

  /** Waits asynchronously, because a reader that must end first may belong to this process. */
  async #untilFree(body: (connection: Connection) => void): Promise<void> {
    const deadline = Date.now() + ERASE_TIMEOUT_MS;
    for (;;) {
      try {
        await this.maintain(body);
        return;
      } catch (error) {
        const busy = error instanceof CairnError && error.code === "busy";
        if (!busy || this.#closed || Date.now() > deadline) throw error;
      }
      await sleep(ERASE_WAIT_MS * (0.5 + Math.random()));
    }
  }

  /** Closes the file's descriptors while nobody reads or writes; the next call opens it again. */
  rest(): void {
    if (this.#file?.isIdle && !this.#writeLock.isLocked()) this.#file.closeIdle();
  }

  /** Waits for the current write, ends running erasures, then closes every connection. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#closing.abort(isClosing());
    await Promise.allSettled(this.#erasingApart);
    await this.#writeLock.runExclusive(() => {
      this.#file?.close();
      this.#memory?.connection.close();
    });
  }

  get #isInMemory(): boolean {
    return this.path === ":memory:";
  }

  #inMemory(): Handle {
    this.#requireOpen();
    if (this.#memory === undefined) {
      const connection = openConnection({ path: this.path });
      migrate(connection);
      this.#memory = connect(connection, this.#options.onStatement);
    }
    return this.#memory;
  }

  async #beginWrite({ patienceMs, mayBeLost = false }: BeginOptions): Promise<Handle> {
    if (this.#isInMemory) {
      const memory = this.#inMemory();
      memory.connection.exec("BEGIN IMMEDIATE");
      return memory;
    }
    const deadline = Date.now() + (patienceMs ?? this.#writeTimeoutMs);
    const file = this.#fileToWrite();
    const handle = await whenFree(() => file.writer(), deadline);
    if (mayBeLost) file.setWaitForDisk(false);
    await beginImmediate(handle.connection, deadline);
    if (!(await file.content.isThatOf(handle.connection))) {
      handle.connection.exec("ROLLBACK");
      throw this.#leaveBehind(file);
    }
    file.knowLog();
    return handle;
  }

  async #writer(): Promise<Handle> {
    const file = this.#fileToWrite();
    return whenFree(() => file.writer(), Date.now() + this.#writeTimeoutMs);
  }

  get #writeTimeoutMs(): number {
    return this.#options.writeTimeoutMs ?? WRITE_TIMEOUT_MS;
  }

  async #fileToRead(): Promise<OpenFile> {
    this.#requireOpen();
    const isThere = this.#file !== undefined && this.#file.identity === this.#identity();
    const file = isThere
      ? this.#file
      : await this.#writeLock.runExclusive(() => this.#openAnew(this.#identity()));
    if (file === undefined) throw notFound("The database file is not there any more.");
    if (!file.isReadable()) {
      const deadline = Date.now() + this.#writeTimeoutMs;
      await this.#writeLock.runExclusive(() => whenFree(() => file.writer(), deadline));
    }
    if (file.content.isUntouched || (await this.#isItself(file))) return file;
    await this.#writeLock.runExclusive(() => this.#leaveBehind(file));
    return this.#fileToRead();
  }

  async #isItself(file: OpenFile): Promise<boolean> {
    const reader = await file.takeReader();
    try {
      return await file.content.isThatOf(reader.connection);
    } finally {
      file.giveBack(reader);
    }
  }

  /** A commit may have written the log back into the file, whose new state is then remembered. */
  async #requireSameContent(connection: Connection): Promise<void> {
    const file = this.#file;
    if (file === undefined || (await file.content.isThatOf(connection))) return;
    throw this.#leaveBehind(file);
  }

  /** Returns the error for a writer; readers are answered from the new file. */
  #leaveBehind(file: OpenFile): CairnError {
    const hasLog = this.#file === file && file.leaveBehind();
    if (this.#file === file) this.#file = undefined;
    const kept = hasLog ? " The newest writes were in its log, which is kept beside it." : "";
    return stateConflict(
      `The database file was replaced in place while it was open: nothing was written.${kept} The next call works with the file that is there now.`,
    );
  }

  #fileToWrite(): OpenFile {
    this.#requireOpen();
    const { path } = this.#options;
    const isGone = this.#identity() === undefined;
    if (isGone && this.#file !== undefined) {
      this.#giveUp();
      throw stateConflict(
        "The database file was removed while it was open, with everything that it held. Nothing was written. Put the file back; else the next write makes a new database.",
      );
    }
    if (isGone) {
      makeFolder(this.location);
      createPrivately(path);
    }
    // Opening the file makes SQLite report what is in the way of creating it.
    if (this.#identity() === undefined) openConnection({ path }).close();
    const file = this.#openAnew(this.#identity());
    if (file === undefined)
      throw stateConflict("The database file is removed as soon as it is made.");
    return file;
  }

  /** Returns the connections to the file that the path leads to; those to another file are given up. */
  #openAnew(identity: string | undefined): OpenFile | undefined {
    if (identity === undefined) return undefined;
    if (this.#file?.identity === identity) return this.#file;
    this.#giveUp();
    this.#file = new OpenFile(this.#options.path, identity, this.#options);
    return this.#file;
  }

  #giveUp(): void {
    const left = this.#file;
    this.#file = undefined;
    left?.leave();
  }

  #requireSameFile(): void {
    if (this.#isInMemory || this.#file?.identity === this.#identity()) return;
    throw stateConflict(
      "The database file was moved, removed or replaced during this write, which the file that is there now does not hold. Look at it, then write again.",
    );
  }

  #identity(): string | undefined {
    return identityOf(this.#options.path);
  }

  #requireOpen(): void {
    if (this.#closed) throw isClosing();
  }
}

async function beginImmediate(connection: Connection, deadline: number): Promise<void> {
  connection.pragma("busy_timeout = 0");
  try {
    await whenFree(() => connection.exec("BEGIN IMMEDIATE"), deadline);
  } finally {
    connection.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  }
}

/**
 * Waits asynchronously, so that this process goes on reading while another one creates or writes the file.
 */
async function whenFree<T>(begin: () => T, deadline: number): Promise<T> {
  for (let waitMs = 1; ; waitMs = Math.min(waitMs * 1.5, 20)) {
    try {
      return begin();
    } catch (error) {
      const isHeld = /^SQLITE_(?:BUSY|LOCKED)/.test(sqliteCodeOf(error) ?? "");
      if (!isHeld || Date.now() > deadline) throw translateSqliteError(error);
    }
    await sleep(waitMs * (0.5 + Math.random()));
  }
}

/** Whether the file itself is damaged. The search index can be damaged alone and is then rebuilt. */
function isDamage(error: unknown): boolean {
  const code = sqliteCodeOf(error);
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

function isClosing(): CairnError {
  return new CairnError("busy", "The database is closing.");
}

function isDatabaseFile(file: string): boolean {
  return file.endsWith(".db");
}

/** A read that worked around damage has its answer, but SQLite may still refuse to end its transaction. */
function endRead(connection: Connection): void {
  try {
    connection.exec("COMMIT");
  } catch {
    endTransaction(connection);
  }
}

/** The original error is reported; a second one from ending the transaction would add nothing. */
function endTransaction(connection: Connection): void {
  try {
    if (connection.inTransaction) connection.exec("ROLLBACK");
  } catch {
    // A damaged file fails here again.
  }
}
