import { createHash } from "node:crypto";
import { entityKind, fillPlaceholders, type Logger, type Query } from "drizzle-orm";
import {
  type PreparedQueryConfig,
  type SelectedFieldsOrdered,
  type SQLiteExecuteMethod,
  SQLitePreparedQuery,
  SQLiteSession,
} from "drizzle-orm/sqlite-core";
import * as drizzleUtils from "drizzle-orm/utils";
import type { ClientBase, QueryResult } from "pg";
import type { PostgresDialect } from "./postgres-dialect.ts";
import { parserOf, toParameter } from "./postgres-values.ts";

type Row = unknown[];
type MapRows = (rows: Row[]) => unknown;

/** What `run` answers, in SQLite's word. */
export interface RunResult {
  readonly changes: number;
}

/** Drizzle's session over one connection, which one transaction at a time has to itself. */
export class PostgresSession extends SQLiteSession<
  "async",
  RunResult,
  Record<string, never>,
  Record<string, never>
> {
  static override readonly [entityKind] = "PostgresSession";
  readonly #connection: Connection;
  readonly #logger: Logger | undefined;

  constructor(client: ClientBase, dialect: PostgresDialect, logger?: Logger) {
    super(dialect);
    this.#connection = new Connection(client);
    this.#logger = logger;
  }

  override prepareQuery<Config extends PreparedQueryConfig>(
    query: Query,
    fields: SelectedFieldsOrdered | undefined,
    method: SQLiteExecuteMethod,
    isArray: boolean,
    mapRows?: MapRows,
  ): SQLitePreparedQuery<Config & { type: "async" }> {
    return new PostgresQuery({
      connection: this.#connection,
      logger: this.#logger,
      query,
      fields,
      method,
      isArray,
      mapRows,
    }) as unknown as SQLitePreparedQuery<Config & { type: "async" }>;
  }

  /** Drizzle's own transactions are not used: a `Tx` is one already. */
  override transaction(): Promise<never> {
    throw new Error("A transaction is begun by the database.");
  }
}

interface QueryParts {
  readonly connection: Connection;
  readonly logger: Logger | undefined;
  readonly query: Query;
  readonly fields: SelectedFieldsOrdered | undefined;
  readonly method: SQLiteExecuteMethod;
  readonly isArray: boolean;
  readonly mapRows: MapRows | undefined;
}

class PostgresQuery extends SQLitePreparedQuery<PreparedQueryConfig & { type: "async" }> {
  static override readonly [entityKind] = "PostgresQuery";
  readonly #parts: QueryParts;
  /** Set by Drizzle where a joined table may have no row. */
  declare joinsNotNullableMap?: Record<string, boolean>;

  constructor(parts: QueryParts) {
    super("async", parts.method, parts.query);
    this.#parts = parts;
  }

  async run(values?: Record<string, unknown>): Promise<RunResult> {
    return { changes: (await this.#send(values)).rowCount ?? 0 };
  }

  async values(values?: Record<string, unknown>): Promise<Row[]> {
    return (await this.#send(values)).rows;
  }

  async all(values?: Record<string, unknown>): Promise<unknown> {
    const { fields, mapRows } = this.#parts;
    const { rows, fields: columns } = await this.#send(values);
    if (mapRows !== undefined) return mapRows(rows);
    if (fields === undefined) {
      return rows.map((row) =>
        Object.fromEntries(columns.map(({ name }, place) => [name, row[place]])),
      );
    }
    return rows.map((row) => mapResultRow(fields, row, this.joinsNotNullableMap));
  }

  async get(values?: Record<string, unknown>): Promise<unknown> {
    const all = await this.all(values);
    return this.#parts.mapRows === undefined ? (all as unknown[])[0] : all;
  }

  isResponseInArrayMode(): boolean {
    return this.#parts.isArray;
  }

  #send(values: Record<string, unknown> = {}): Promise<QueryResult<Row>> {
    const { connection, logger, query } = this.#parts;
    const params = fillPlaceholders(query.params, values);
    logger?.logQuery(query.sql, params);
    return connection.send(query.sql, params);
  }
}

/** A text that is sent often is parsed once by each connection; there are more texts than that. */
const MAX_KEPT_STATEMENTS = 400;

/** One statement after the other: the driver is to have no queue of its own. */
class Connection {
  readonly #client: ClientBase;
  readonly #names = new Map<string, string>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(client: ClientBase) {
    this.#client = client;
  }

  send(text: string, params: readonly unknown[]): Promise<QueryResult<Row>> {
    const query = {
      text,
      name: this.#nameOf(text),
      values: params.map(toParameter),
      rowMode: "array" as const,
      types: { getTypeParser: parserOf },
    };
    const sent = this.#last.then(() => this.#client.query<Row>(query));
    this.#last = sent.catch(() => undefined);
    return sent;
  }

  #nameOf(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known !== undefined || this.#names.size >= MAX_KEPT_STATEMENTS) return known;
    const name = `cairn_${createHash("sha256").update(text).digest("base64url")}`.slice(0, 40);
    this.#names.set(text, name);
    return name;
  }
}

/** Drizzle exports it and leaves it out of its types. */
const { mapResultRow } = drizzleUtils as unknown as {
  mapResultRow(
    fields: SelectedFieldsOrdered,
    row: Row,
    joinsNotNullable: Record<string, boolean> | undefined,
  ): unknown;
};
