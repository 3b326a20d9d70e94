import { dirname, resolve } from "node:path";
import { makeFolder } from "../../shared/files.ts";
import {
  AFTER_ALL_IDS,
  changeRecord,
  parseStored,
  type RecordRange,
  type RecordReader,
  type RecordRow,
  type RecordWriter,
  type StoredRecord,
  type StoredRecords,
  toRecord,
} from "../record-store.ts";
import { databaseFileExists, makePrivate } from "./database-file.ts";
import { type Connection, connectDriver } from "./driver.ts";
import { driverError } from "./driver-error.ts";
import { BUSY_TIMEOUT_MS, enableWriteAheadLog } from "./open-connection.ts";
import { translateSqliteError } from "./sqlite-error.ts";

const CREATE_RECORDS_TABLE = `create table if not exists records (
  kind text not null, id text not null, kept text not null, primary key (kind, id)
)`;

/**
 * Last pending change by path. Changes of one process run in sequence: one waiting for SQLite's
 * lock would block the other from finishing.
 */
const LAST_WRITES = new Map<string, Promise<void>>();

export class RecordFile implements StoredRecords {
  readonly #path: string;
  #reading: Connection | undefined;
  #writing: Connection | undefined;
  constructor(path: string) {
    this.#path = resolve(path);
  }

  async get(kind: string, id: string): Promise<object | undefined> {
    return this.#read((reader) => reader.get(kind, id), undefined);
  }

  async getAll(kind: string, ids: readonly string[]): Promise<StoredRecord[]> {
    return this.#read((reader) => reader.getAll(kind, ids), []);
  }

  async list(kind: string, range?: RecordRange): Promise<StoredRecord[]> {
    return this.#read((reader) => reader.list(kind, range), []);
  }

  async count(kind: string, prefix?: string): Promise<number> {
    return this.#read((reader) => reader.count(kind, prefix), 0);
  }

  change(
    kind: string,
    id: string,
    change: (before: object | undefined) => object | undefined,
  ): Promise<void> {
    return changeRecord(this, kind, id, change);
  }

  together<T>(body: (records: RecordWriter) => Promise<T>): Promise<T> {
    const done = (LAST_WRITES.get(this.#path) ?? Promise.resolve()).then(() =>
      this.#transact(body),
    );
    const settled = done.then(
      () => undefined,
      () => undefined,
    );
    LAST_WRITES.set(this.#path, settled);
    void settled.then(() => {
      if (LAST_WRITES.get(this.#path) === settled) LAST_WRITES.delete(this.#path);
    });
    return done;
  }

  async close(): Promise<void> {
    await LAST_WRITES.get(this.#path);
    this.#reading?.close();
    this.#writing?.close();
    this.#reading = undefined;
    this.#writing = undefined;
  }

  async #read<T>(read: (reader: RecordReader) => Promise<T>, none: T): Promise<T> {
    if (this.#reading === undefined && !databaseFileExists(this.#path)) return none;
    try {
      this.#reading ??= openRecords(this.#path);
      return await read(createReader(this.#reading));
    } catch (error) {
      throw translateSqliteError(error, this.#path);
    }
  }

  async #transact<T>(body: (records: RecordWriter) => Promise<T>): Promise<T> {
    try {
      this.#writing ??= createAndOpen(this.#path);
      const connection = this.#writing;
      connection.exec("begin immediate");
      try {
        const result = await body(createWriter(connection));
        connection.exec("commit");
        return result;
      } catch (error) {
        if (connection.inTransaction) connection.exec("rollback");
        throw error;
      }
    } catch (error) {
      throw translateSqliteError(error, this.#path);
    }
  }
}

function openRecords(path: string): Connection {
  try {
    const connection = connectDriver(path, { timeout: BUSY_TIMEOUT_MS });
    connection.pragma("synchronous = FULL");
    return connection;
  } catch (error) {
    throw driverError(error) ?? error;
  }
}

function createAndOpen(path: string): Connection {
  makeFolder(dirname(path));
  const connection = openRecords(path);
  makePrivate(path);
  enableWriteAheadLog(connection);
  connection.exec(CREATE_RECORDS_TABLE);
  return connection;
}

function createReader(connection: Connection): RecordReader {
  return {
    async get(kind, id) {
      const row = statement(connection, "kind = ? and id = ?").get(kind, id);
      return row === undefined ? undefined : parseStored(row);
    },
    async getAll(kind, ids) {
      const one = statement(connection, "kind = ? and id = ?");
      return ids.flatMap((id) => {
        const row = one.get(kind, id);
        return row === undefined ? [] : toRecord(row);
      });
    },
    async list(kind, { prefix = "", offset = 0, limit = -1 } = {}) {
      const of = statement(
        connection,
        "kind = ? and id >= ? and id < ? order by id limit ? offset ?",
      );
      return of.all(kind, prefix, prefix + AFTER_ALL_IDS, limit, offset).map(toRecord);
    },
    async count(kind, prefix = "") {
      const counted = connection
        .prepare<unknown[], { count: number }>(
          "select count(*) as count from records where kind = ? and id >= ? and id < ?",
        )
        .get(kind, prefix, prefix + AFTER_ALL_IDS);
      return counted?.count ?? 0;
    },
  };
}

function createWriter(connection: Connection): RecordWriter {
  return {
    ...createReader(connection),
    async put(kind, id, value) {
      if (value === undefined) {
        connection.prepare("delete from records where kind = ? and id = ?").run(kind, id);
        return;
      }
      connection
        .prepare(
          "insert into records(kind, id, kept) values (?, ?, ?) on conflict (kind, id) do update set kept = excluded.kept",
        )
        .run(kind, id, JSON.stringify(value));
    },
  };
}

function statement(connection: Connection, condition: string) {
  return connection.prepare<unknown[], RecordRow>(
    `select id, kept from records where ${condition}`,
  );
}
