import type { ClientBase } from "pg";
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
import { escapeIdentifier, escapeLiteral } from "./database-names.ts";

interface RecordAccess {
  readonly change: <T>(body: (client: ClientBase) => Promise<T>) => Promise<T>;
  readonly ask: RunQuery;
}

type RunQuery = <Row extends object>(text: string) => Promise<Row[]>;

export class PostgresRecords implements StoredRecords {
  readonly #table: string;
  readonly #access: RecordAccess;
  readonly #reader: RecordReader;

  constructor(schema: string, access: RecordAccess) {
    this.#table = `${escapeIdentifier(schema)}.records`;
    this.#access = access;
    this.#reader = createReader(this.#table, access.ask);
  }

  get(kind: string, id: string): Promise<object | undefined> {
    return this.#reader.get(kind, id);
  }

  getAll(kind: string, ids: readonly string[]): Promise<StoredRecord[]> {
    return this.#reader.getAll(kind, ids);
  }

  list(kind: string, range?: RecordRange): Promise<StoredRecord[]> {
    return this.#reader.list(kind, range);
  }

  count(kind: string, prefix?: string): Promise<number> {
    return this.#reader.count(kind, prefix);
  }

  change(
    kind: string,
    id: string,
    change: (before: object | undefined) => object | undefined,
  ): Promise<void> {
    return changeRecord(this, kind, id, change);
  }

  together<T>(body: (records: RecordWriter) => Promise<T>): Promise<T> {
    return this.#access.change((client) => {
      const ask = async <R extends object>(text: string) => (await client.query<R>(text)).rows;
      return body({
        ...createReader(this.#table, ask),
        put: async (kind, id, value) => {
          if (value === undefined) {
            await client.query(`delete from ${this.#table} where kind = $1 and id = $2`, [
              kind,
              id,
            ]);
            return;
          }
          await client.query(
            `insert into ${this.#table}(kind, id, kept) values ($1, $2, $3) on conflict (kind, id) do update set kept = $3`,
            [kind, id, JSON.stringify(value)],
          );
        },
      });
    });
  }
}

function createReader(table: string, ask: RunQuery): RecordReader {
  return {
    async get(kind, id) {
      const [row] = await ask<RecordRow>(
        `select id, kept from ${table} where kind = ${escapeLiteral(kind)} and id = ${escapeLiteral(id)}`,
      );
      return row === undefined ? undefined : parseStored(row);
    },
    async getAll(kind, ids) {
      if (ids.length === 0) return [];
      const rows = await ask<RecordRow>(
        `select id, kept from ${table} where kind = ${escapeLiteral(kind)} and id in (${ids.map(escapeLiteral).join(", ")})`,
      );
      return rows.map(toRecord);
    },
    async list(kind, { prefix = "", offset = 0, limit } = {}) {
      const largest = limit === undefined ? "" : ` limit ${Math.trunc(limit)}`;
      const rows = await ask<RecordRow>(
        `select id, kept from ${table} where ${within(kind, prefix)} order by id${largest} offset ${Math.trunc(offset)}`,
      );
      return rows.map(toRecord);
    },
    async count(kind, prefix = "") {
      const [row] = await ask<{ count: string }>(
        `select count(*) as count from ${table} where ${within(kind, prefix)}`,
      );
      return Number(row?.count ?? 0);
    },
  };
}

function within(kind: string, prefix: string): string {
  const ofKind = `kind = ${escapeLiteral(kind)}`;
  if (prefix === "") return ofKind;
  return `${ofKind} and id >= ${escapeLiteral(prefix)} and id < ${escapeLiteral(prefix + AFTER_ALL_IDS)}`;
}
