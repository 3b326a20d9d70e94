import { dirname } from "node:path";
import type { Mutex } from "async-mutex";
import { sleep } from "../../shared/async.ts";
import { type CairnError, notFound, stateConflict } from "../../shared/errors.ts";
import { makeFolder } from "../../shared/files.ts";
import type { DatabaseOptions, WriteOptions } from "../database.ts";
import { createPrivately, fileIdentity } from "./database-file.ts";
import { BUSY_TIMEOUT_MS, type Connection, openConnection } from "./open-connection.ts";
import { type Handle, OpenFile } from "./open-file.ts";
import { findSqliteCode, translateSqliteError } from "./sqlite-error.ts";

export interface BeginOptions extends WriteOptions {
  /** Permits losing the commit in a power failure. */
  readonly mayBeLost?: boolean;
}

export interface FileAtPathOptions extends DatabaseOptions {
  readonly path: string;
  readonly writeTimeoutMs: number;
  readonly writeLock: Mutex;
  /** Throws busy once the database closes. */
  readonly requireOpen: () => void;
}

/**
 * The file at a path. Before each use it is compared with the open file; a moved, removed or
 * replaced file is abandoned, so that no write is acknowledged into an unreachable file.
 */
export class FileAtPath {
  readonly #options: FileAtPathOptions;
  #current: OpenFile | undefined;

  constructor(options: FileAtPathOptions) {
    this.#options = options;
  }

  get current(): OpenFile | undefined {
    return this.#current;
  }

  /** Begins a transaction that excludes all other writers; the caller holds the lock. */
  async beginWrite({ lockTimeoutMs, mayBeLost = false }: BeginOptions): Promise<Handle> {
    const deadline = Date.now() + (lockTimeoutMs ?? this.#options.writeTimeoutMs);
    const file = this.#toWrite();
    const handle = await retryWhileBusy(() => file.writer(), deadline, file.path);
    if (mayBeLost) file.setWaitForDisk(false);
    await beginImmediate(handle.connection, deadline, file.path);
    if (!(await file.content.isThatOf(handle.connection))) {
      handle.connection.exec("ROLLBACK");
      throw this.#leaveBehind(file);
    }
    file.knowLog();
    return handle;
  }

  /** The writing connection, outside any transaction; the caller holds the lock. */
  async writer(): Promise<Handle> {
    const file = this.#toWrite();
    const deadline = Date.now() + this.#options.writeTimeoutMs;
    return retryWhileBusy(() => file.writer(), deadline, file.path);
  }

  async forReading(): Promise<OpenFile> {
    this.#options.requireOpen();
    const isThere = this.#current !== undefined && this.#current.identity === this.#identity();
    const file = isThere
      ? this.#current
      : await this.#options.writeLock.runExclusive(() => this.#reopen(this.#identity()));
    if (file === undefined) throw notFound("The database file no longer exists.");
    if (!file.isReadable()) {
      const deadline = Date.now() + this.#options.writeTimeoutMs;
      await this.#options.writeLock.runExclusive(() =>
        retryWhileBusy(() => file.writer(), deadline, file.path),
      );
    }
    if (file.content.isUntouched || (await this.#isItself(file))) return file;
    await this.#options.writeLock.runExclusive(() => this.#leaveBehind(file));
    return this.forReading();
  }

  async #isItself(file: OpenFile): Promise<boolean> {
    const reader = await file.takeReader();
    try {
      return await file.content.isThatOf(reader.connection);
    } finally {
      file.giveBack(reader);
    }
  }

  /**
   * Throws conflict if a commit went into a file that is no longer at the path. A commit may
   * checkpoint the log, so the new file state is recorded.
   */
  async requireSame(connection: Connection): Promise<void> {
    const file = this.#current;
    if (file === undefined || file.identity !== this.#identity()) {
      throw stateConflict(
        "The database file was moved, removed or replaced during this write. The current file does not contain it; check the file, then write again.",
      );
    }
    if (!(await file.content.isThatOf(connection))) throw this.#leaveBehind(file);
  }

  /** Returns the error for a writer; readers continue with the new file. */
  #leaveBehind(file: OpenFile): CairnError {
    const hasLog = this.#current === file && file.leaveBehind();
    if (this.#current === file) this.#current = undefined;
    const stored = hasLog ? " The newest writes are in its log, which was kept next to it." : "";
    return stateConflict(
      `The database file was replaced in place while it was open: nothing was written.${stored} The next call uses the current file.`,
    );
  }

  #toWrite(): OpenFile {
    this.#options.requireOpen();
    const { path } = this.#options;
    const isMissing = this.#identity() === undefined;
    if (isMissing && this.#current !== undefined) {
      this.#giveUp();
      throw stateConflict(
        "The database file was removed while it was open. Nothing was written. Put the file back; otherwise the next write creates a new database.",
      );
    }
    if (isMissing) {
      makeFolder(dirname(path));
      createPrivately(path);
    }
    // Opening the file makes SQLite report why it cannot be created.
    if (this.#identity() === undefined) openConnection({ path }).close();
    const file = this.#reopen(this.#identity());
    if (file === undefined)
      throw stateConflict(
        "The database file is removed as soon as it is created. Check other programs that use the folder.",
      );
    return file;
  }

  #reopen(identity: string | undefined): OpenFile | undefined {
    if (identity === undefined) return undefined;
    if (this.#current?.identity === identity) return this.#current;
    this.#giveUp();
    this.#current = new OpenFile(this.#options.path, identity, this.#options);
    return this.#current;
  }

  #giveUp(): void {
    const left = this.#current;
    this.#current = undefined;
    left?.leave();
  }

  #identity(): string | undefined {
    return fileIdentity(this.#options.path);
  }
}

async function beginImmediate(
  connection: Connection,
  deadline: number,
  path: string,
): Promise<void> {
  connection.pragma("busy_timeout = 0");
  try {
    await retryWhileBusy(() => connection.exec("BEGIN IMMEDIATE"), deadline, path);
  } finally {
    connection.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  }
}

async function retryWhileBusy<T>(begin: () => T, deadline: number, path: string): Promise<T> {
  for (let waitMs = 1; ; waitMs = Math.min(waitMs * 1.5, 20)) {
    try {
      return begin();
    } catch (error) {
      const isStored = /^SQLITE_(?:BUSY|LOCKED)/.test(findSqliteCode(error) ?? "");
      if (!isStored || Date.now() > deadline) throw translateSqliteError(error, path);
    }
    await sleep(waitMs * (0.5 + Math.random()));
  }
}
