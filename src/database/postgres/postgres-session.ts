import { entityKind, fillPlaceholders, type Logger, type Query } from "drizzle-orm";
import {
  type PreparedQueryConfig,
  type SelectedFieldsOrdered,
  type SQLiteExecuteMethod,
  SQLitePreparedQuery,
  SQLiteSession,
} from "drizzle-orm/sqlite-core";
import * as drizzleUtils from "drizzle-orm/utils";
import type { PostgresDialect } from "./postgres-dialect.ts";
import type { Row, StatementResult, StatementStream } from "./statement-stream.ts";

type MapRows = (rows: Row[]) => unknown;

const WRITE_STATEMENT = /^\s*(insert|update|delete|with)\b/i;
/** Statements that only fail if an earlier one did. */
const SAFE_STATEMENT = /^\s*(savepoint|set local)\b/i;
const STEP_END_STATEMENT = /^\s*release savepoint\b/i;

/** Drizzle session over a connection that is reserved for one transaction at a time. */
export class PostgresSession extends SQLiteSession<
  "async",
  void,
  Record<string, never>,
  Record<string, never>
> {
  static override readonly [entityKind] = "PostgresSession";
  readonly #statements: StatementStream;
  readonly #logger: Logger | undefined;

  constructor(statements: StatementStream, dialect: PostgresDialect, logger?: Logger) {
    super(dialect);
    this.#statements = statements;
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
      statements: this.#statements,
      logger: this.#logger,
      query,
      fields,
      method,
      isArray,
      mapRows,
    }) as unknown as SQLitePreparedQuery<Config & { type: "async" }>;
  }

  /** Unused, because a `Tx` already is a transaction. */
  override transaction(): Promise<never> {
    throw new Error("A transaction is begun by the database.");
  }
}

interface QueryParts {
  readonly statements: StatementStream;
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
  /** Set by Drizzle if a joined table may have no row. */
  declare joinsNotNullableMap?: Record<string, boolean>;

  constructor(parts: QueryParts) {
    super("async", parts.method, parts.query);
    this.#parts = parts;
  }

  /** Sends a write without waiting. The next result reports its errors. */
  async run(values: Record<string, unknown> = {}): Promise<void> {
    const { statements, query } = this.#parts;
    const params = this.#take(values);
    const isPosted =
      WRITE_STATEMENT.test(query.sql) ||
      SAFE_STATEMENT.test(query.sql) ||
      (STEP_END_STATEMENT.test(query.sql) && statements.areAnswered);
    if (isPosted) await statements.post(query.sql, params);
    else await statements.ask(query.sql, params);
  }

  async values(values?: Record<string, unknown>): Promise<Row[]> {
    return (await this.#ask(values)).rows;
  }

  async all(values?: Record<string, unknown>): Promise<unknown> {
    const { fields, mapRows } = this.#parts;
    const { rows, fields: columns } = await this.#ask(values);
    if (mapRows !== undefined) return mapRows(rows);
    if (fields === undefined) {
      return rows.map((row) =>
        Object.fromEntries(columns.map(({ name }, index) => [name, row[index]])),
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

  #ask(values: Record<string, unknown> = {}): Promise<StatementResult> {
    const { statements, query } = this.#parts;
    return statements.ask(query.sql, this.#take(values));
  }

  #take(values: Record<string, unknown>): unknown[] {
    const { logger, query } = this.#parts;
    const params = fillPlaceholders(query.params, values);
    logger?.logQuery(query.sql, params);
    return params;
  }
}

/** Exported by Drizzle but missing in its types. */
const { mapResultRow } = drizzleUtils as unknown as {
  mapResultRow(
    fields: SelectedFieldsOrdered,
    row: Row,
    joinsNotNullable: Record<string, boolean> | undefined,
  ): unknown;
};
