import { Mutex } from "async-mutex";
import { type BetterSQLite3Database, drizzle } from "drizzle-orm/better-sqlite3";
import { sleep } from "../kernel/abort.ts";
import { CairnError } from "../kernel/errors.ts";
import { migrate } from "./migrate.ts";
import { type Connection, openConnection } from "./open-connection.ts";
import { translateSqliteError } from "./sqlite-error.ts";

/** A transaction: every query takes it first. */
export type Tx = BetterSQLite3Database;

export interface DatabaseOptions {
  /** Path of the file, or ":memory:". */
  readonly path: string;
  /** How long a write waits for other processes, milliseconds. */
  readonly writeTimeoutMs?: number;
}

const READ_CONNECTIONS = 4;
const WRITE_TIMEOUT_MS = 60_000;

interface Handle {
  readonly connection: Connection;
  readonly tx: Tx;
}

/** One SQLite file: one writer behind a mutex, a few readers, each read one snapshot. */
export class Database {
  readonly #options: DatabaseOptions;
  readonly #writer: Handle;
  readonly #writeLock = new Mutex();
  readonly #idleReaders: Handle[] = [];
  readonly #waitingReaders: ((reader: Handle) => void)[] = [];
  #readerCount = 0;
  #closed = false;

  constructor(options: DatabaseOptions) {
    this.#options = options;
    const connection = openConnection({ path: options.path });
    try {
      migrate(connection);
    } catch (error) {
      connection.close();
      throw translateSqliteError(error);
    }
    this.#writer = { connection, tx: drizzle({ client: connection }) };
  }

  /** One transaction, alone among all processes. It is rolled back when `body` rejects. */
  write<T>(body: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#writeLock.runExclusive(async () => {
      const { connection, tx } = this.#writer;
      await this.#beginImmediate(connection);
      try {
        const result = await body(tx);
        connection.exec("COMMIT");
        return result;
      } catch (error) {
        if (connection.inTransaction) connection.exec("ROLLBACK");
        throw translateSqliteError(error);
      }
    });
  }

  /** One read transaction: everything that `body` sees is of one moment. */
  async read<T>(body: (tx: Tx) => Promise<T>): Promise<T> {
    if (this.#options.path === ":memory:") {
      return this.#writeLock.runExclusive(() => body(this.#writer.tx));
    }
    const reader = await this.#takeReader();
    try {
      reader.connection.exec("BEGIN");
      return await body(reader.tx);
    } catch (error) {
      throw translateSqliteError(error);
    } finally {
      if (reader.connection.inTransaction) reader.connection.exec("COMMIT");
      this.#giveBack(reader);
    }
  }

  /** Runs a statement outside of any transaction, such as VACUUM or a checkpoint. */
  maintain<T>(body: (connection: Connection) => T): Promise<T> {
    return this.#writeLock.runExclusive(() => {
      try {
        return body(this.#writer.connection);
      } catch (error) {
        throw translateSqliteError(error);
      }
    });
  }

  /** Waits for the write that is under way, then closes every connection. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#writeLock.runExclusive(() => {
      for (const reader of this.#idleReaders) reader.connection.close();
      this.#writer.connection.close();
    });
  }

  /** Waiting is asynchronous: this process goes on reading while another one writes. */
  async #beginImmediate(connection: Connection): Promise<void> {
    const deadline = Date.now() + (this.#options.writeTimeoutMs ?? WRITE_TIMEOUT_MS);
    connection.pragma("busy_timeout = 0");
    try {
      for (let waitMs = 1; ; waitMs = Math.min(waitMs * 1.5, 20)) {
        try {
          connection.exec("BEGIN IMMEDIATE");
          return;
        } catch (error) {
          const translated = translateSqliteError(error);
          const busy = translated instanceof CairnError && translated.code === "busy";
          if (!busy || Date.now() > deadline) throw translated;
        }
        await sleep(waitMs * (0.5 + Math.random()));
      }
    } finally {
      connection.pragma("busy_timeout = 5000");
    }
  }

  async #takeReader(): Promise<Handle> {
    if (this.#closed) throw new CairnError("busy", "The database is closing.");
    const idle = this.#idleReaders.pop();
    if (idle !== undefined) return idle;
    if (this.#readerCount >= READ_CONNECTIONS) {
      return new Promise((resolve) => this.#waitingReaders.push(resolve));
    }
    this.#readerCount += 1;
    try {
      const connection = openConnection({ path: this.#options.path, readonly: true });
      return { connection, tx: drizzle({ client: connection }) };
    } catch (error) {
      this.#readerCount -= 1;
      throw error;
    }
  }

  #giveBack(reader: Handle): void {
    if (this.#closed) {
      reader.connection.close();
      return;
    }
    const waiting = this.#waitingReaders.shift();
    if (waiting === undefined) this.#idleReaders.push(reader);
    else waiting(reader);
  }
}
