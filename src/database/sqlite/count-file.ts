import { dirname } from "node:path";
import { makeFolder } from "../../shared/files.ts";
import type { Added, Addition, SharedCounts } from "../../shared/shared-counts.ts";
import { makePrivate } from "./database-file.ts";
import { type Connection, connectDriver } from "./driver.ts";
import { driverError } from "./driver-error.ts";
import { BUSY_TIMEOUT_MS, enableWriteAheadLog } from "./open-connection.ts";
import { translateSqliteError } from "./sqlite-error.ts";

const TABLE = `create table if not exists counts (
  key text primary key, period integer not null, count integer not null
)`;

/** One statement, so that no other process adds in between. */
const ADD = `insert into counts(key, period, count) values (:key, :period, :added)
  on conflict (key) do update set
    count = case when period >= excluded.period then count else 0 end + excluded.count,
    period = max(period, excluded.period)
  where case when period >= excluded.period then count else 0 end + excluded.count <= :most
  returning count`;

const LOOK = "select count from counts where key = :key and period >= :period";

/** Counts in a SQLite file of their own, made by the first one. */
export class CountFile implements SharedCounts {
  readonly #path: string;
  #connection: Connection | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  async add({ key, period, added, most }: Addition): Promise<Added> {
    try {
      this.#connection ??= make(this.#path);
      const one = { key, period, added, most };
      const row = added > most ? undefined : this.#connection.prepare<object, Row>(ADD).get(one);
      if (row !== undefined) return { isAdded: true, before: row.count - added };
      const there = this.#connection.prepare<object, Row>(LOOK).get({ key, period });
      return { isAdded: false, before: there?.count ?? 0 };
    } catch (error) {
      throw translateSqliteError(error);
    }
  }

  close(): void {
    this.#connection?.close();
    this.#connection = undefined;
  }
}

interface Row {
  readonly count: number;
}

/** Requests do not wait for the disk: a count is worth less than an answer. */
function make(path: string): Connection {
  makeFolder(dirname(path));
  try {
    const connection = connectDriver(path, { timeout: BUSY_TIMEOUT_MS });
    makePrivate(path);
    connection.pragma("synchronous = OFF");
    enableWriteAheadLog(connection);
    connection.exec(TABLE);
    return connection;
  } catch (error) {
    throw driverError(error) ?? error;
  }
}
