import { copyFileSync, renameSync, rmSync, truncateSync } from "node:fs";
import { drizzle } from "drizzle-orm/better-sqlite3";
import { CairnError, stateConflict } from "../../shared/errors.ts";
import type { DatabaseOptions, StatementListener, Tx } from "../database.ts";
import { createReads } from "../database.ts";
import { requireNotStopped } from "../time-limit.ts";
import { ContentInFile } from "./content-in-file.ts";
import { fileIdentity, fileSize, makePrivate } from "./database-file.ts";
import {
  isReadableSchema,
  isUpToDate,
  migrate,
  requireOwnDatabase,
  requireOwnFile,
} from "./migrate.ts";
import {
  BUSY_TIMEOUT_MS,
  type Connection,
  enableWriteAheadLog,
  isImmutable,
  openConnection,
  openForReading,
  writeError,
} from "./open-connection.ts";
import { translateSqliteError } from "./sqlite-error.ts";

export interface Handle {
  readonly connection: Connection;
  readonly tx: Tx;
}

export function connect(connection: Connection, onStatement?: StatementListener): Handle {
  const logger = {
    logQuery: (statement: string) => {
      requireNotStopped(connection);
      onStatement?.(statement);
    },
  };
  const queries = drizzle({ client: connection, logger });
  return { connection, tx: Object.assign(queries, { engine: "sqlite" as const }) };
}

const MAX_READ_CONNECTIONS = 4;
const LOW_MEMORY_READ_CONNECTIONS = 2;

/**
 * Connections to one file: a writer, created by the first write, and a few readers. They remain
 * with this file even if its path is replaced; then `leave` closes them.
 */
export class OpenFile {
  /**
   * Open count by file in this process. Closing any other handle of a file would release
   * the process's locks.
   */
  static readonly #stored = new Map<string, number>();

  readonly path: string;
  readonly identity: string;
  readonly content: ContentInFile;
  readonly #log: string;
  readonly #options: DatabaseOptions;
  #logIdentity: string | undefined;
  #writer: Handle | undefined;
  readonly #idleReaders: Handle[] = [];
  readonly #waitingReaders: ((reader: Handle) => void)[] = [];
  #readerCount = 0;
  #isLeft = false;
  #keeper = {};

  constructor(path: string, identity: string, options: DatabaseOptions = {}) {
    this.path = path;
    this.#options = options;
    this.identity = identity;
    this.content = new ContentInFile(path);
    this.#log = `${path}-wal`;
    if (fileSize(path) > 0 && !OpenFile.isLocked(identity)) requireOwnFile(path);
  }

  static isLocked(identity: string): boolean {
    return OpenFile.#stored.has(identity);
  }

  /** Throws busy immediately while another process creates or writes the file. */
  writer(): Handle {
    if (this.#writer !== undefined) return this.#writer;
    const connection = openConnection({ path: this.path, isFrugal: this.#options.isFrugal });
    try {
      requireOwnDatabase(connection);
      const isCurrent = isUpToDate(connection);
      enableWriteAheadLog(connection);
      connection.pragma("busy_timeout = 0");
      if (migrate(connection) || !isCurrent) makePrivate(this.path);
      connection.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
    } catch (error) {
      connection.close();
      throw writeError(error, this.path);
    }
    this.#writer = this.#connect(connection);
    this.#hold();
    return this.#writer;
  }

  /** Sets whether commits wait for the disk. Not allowed within a transaction. */
  setWaitForDisk(waits: boolean): void {
    this.#writer?.connection.pragma(`synchronous = ${waits ? "FULL" : "NORMAL"}`);
  }

  isReadable(): boolean {
    const reader = this.#idleReaders.at(-1);
    if (this.#writer !== undefined || reader !== undefined || this.#readerCount > 0) return true;
    const connection = this.#connectReader();
    if (isReadableOrClose(connection)) {
      this.#retain(connection);
      return true;
    }
    connection.close();
    return false;
  }

  get #mostReaders(): number {
    return this.#options.isFrugal === true ? LOW_MEMORY_READ_CONNECTIONS : MAX_READ_CONNECTIONS;
  }

  async takeReader(): Promise<Handle> {
    const idle = this.#idleReaders.pop();
    if (idle !== undefined) return idle;
    if (this.#readerCount >= this.#mostReaders) {
      return new Promise((resolve) => this.#waitingReaders.push(resolve));
    }
    this.#retain(this.#connectReader());
    return this.takeReader();
  }

  giveBack(reader: Handle): void {
    const waiting = this.#waitingReaders.shift();
    if (waiting !== undefined) waiting(reader);
    else if (this.#isLeft || isImmutable(reader.connection)) this.#drop(reader);
    else this.#idleReaders.push(reader);
  }

  /** Checks the file with a fresh reader and replaces readers with cached pages. */
  readsSoundly(isSound: (connection: Connection) => boolean): boolean {
    for (const reader of this.#idleReaders.splice(0)) this.#drop(reader);
    const connection = this.#connectReader();
    const isComplete = isSound(connection);
    if (isComplete) this.#retain(connection);
    else connection.close();
    return isComplete;
  }

  get isIdle(): boolean {
    return this.#readerCount === this.#idleReaders.length;
  }

  /** Records the log that belongs to this file. Called within a transaction, when a log exists. */
  knowLog(): void {
    this.#logIdentity ??= fileIdentity(this.#log);
  }

  closeIdle(): void {
    for (const reader of this.#idleReaders.splice(0)) this.#drop(reader);
    this.#writer?.connection.close();
    if (this.#writer !== undefined) this.#letGo();
    this.#writer = undefined;
    if (!this.isIdle) return;
    this.#logIdentity = undefined;
    this.#keeper = {};
  }

  /** Closes idle connections now, and each reader when it is returned. */
  close(): void {
    this.#isLeft = true;
    this.closeIdle();
  }

  /**
   * Abandons the file because its path was replaced. Checkpoints acknowledged writes and moves the
   * log away from the new file, to which SQLite would apply it. Throws conflict, and retains the
   * log, if the checkpoint fails.
   */
  leave(): void {
    const isComplete = this.#writeBack();
    const hasWritten = this.#writer !== undefined;
    const logIdentity = this.#logIdentity;
    this.close();
    const isOurs = logIdentity !== undefined && fileIdentity(this.#log) === logIdentity;
    if (!isOurs) return;
    if (isComplete) {
      rmSync(this.#log, { force: true });
    } else {
      renameSync(this.#log, `${this.path}.left-wal-${Date.now()}`);
    }
    rmSync(`${this.path}-shm`, { force: true });
    if (isComplete || !hasWritten) return;
    throw stateConflict(
      "The database file was replaced while it was open, before the newest writes reached it: their log is kept next to it, and nothing was written. Check both, then try again.",
    );
  }

  /**
   * Abandons the file because other content was copied over it. Without a checkpoint: the log is
   * copied aside and emptied, since closing would apply it to the new content. Returns whether
   * there was a log.
   */
  leaveBehind(): boolean {
    const hasLog = fileSize(this.#log) > 0;
    if (hasLog) {
      copyFileSync(this.#log, `${this.path}.left-wal-${Date.now()}`);
      truncateSync(this.#log, 0);
    }
    this.close();
    rmSync(this.#log, { force: true });
    rmSync(`${this.path}-shm`, { force: true });
    return hasLog;
  }

  #writeBack(): boolean {
    if (this.#writer === undefined) return fileSize(this.#log) === 0;
    try {
      const [result] = this.#writer.connection.pragma("wal_checkpoint(PASSIVE)") as {
        log: number;
        checkpointed: number;
      }[];
      return result !== undefined && result.log === result.checkpointed;
    } catch {
      return false;
    }
  }

  #connectReader(): Connection {
    return openForReading({ path: this.path, isFrugal: this.#options.isFrugal });
  }

  #connect(connection: Connection): Handle {
    const handle = connect(connection, this.#options.onStatement);
    createReads(this.#keeper, handle.tx);
    return handle;
  }

  #retain(connection: Connection): void {
    this.#readerCount += 1;
    this.#hold();
    this.#idleReaders.push(this.#connect(connection));
  }

  #drop(reader: Handle): void {
    reader.connection.close();
    this.#readerCount -= 1;
    this.#letGo();
  }

  #hold(): void {
    OpenFile.#stored.set(this.identity, (OpenFile.#stored.get(this.identity) ?? 0) + 1);
  }

  #letGo(): void {
    const left = (OpenFile.#stored.get(this.identity) ?? 1) - 1;
    if (left === 0) OpenFile.#stored.delete(this.identity);
    else OpenFile.#stored.set(this.identity, left);
  }
}

function isReadableOrClose(connection: Connection): boolean {
  try {
    return isReadableSchema(connection);
  } catch (error) {
    connection.close();
    throw error instanceof CairnError ? error : translateSqliteError(error, connection.name);
  }
}
