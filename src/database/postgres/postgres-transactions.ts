import type { ClientBase } from "pg";
import { CairnError, notFound } from "../../shared/errors.ts";
import type { DatabaseOptions, Tx } from "../database.ts";
import type { ConnectionPool, Lease } from "./connection-pool.ts";
import { enterCurrentSchema, enterDatabase, schemaName } from "./database-names.ts";
import {
  type Beginning,
  beginIn,
  beginInCurrent,
  type EnteredDatabase,
  MISSING_SCHEMA_CODES,
} from "./enter-database.ts";
import type { Migrations } from "./migrations.ts";
import type { PostgresAddress } from "./postgres-address.ts";
import {
  findPostgresCode,
  isConnectionLoss,
  rollbackFailure,
  translatePostgresError,
  unconfirmedCommitError,
} from "./postgres-error.ts";

export interface PostgresDatabaseOptions extends DatabaseOptions {
  readonly pool: ConnectionPool;
  /** Reserved for `claim`: its holders need another connection, so a shared pool could deadlock. */
  readonly claims: ConnectionPool;
  readonly migrations: Migrations;
  readonly ask: <Row extends object>(text: string) => Promise<Row[]>;
  readonly address: PostgresAddress;
  readonly name: string;
}

/** SQLSTATE of a statement in a failed transaction. */
const FAILED_TRANSACTION_CODE = "25P02";

/**
 * Commits. PostgreSQL silently rolls back a failed transaction on commit, so this checks the
 * command tag.
 */
async function commitTransaction({ client, statements }: Lease): Promise<void> {
  try {
    if ((await client.query("commit")).command === "COMMIT") return;
  } catch (error) {
    if (isConnectionLoss(error)) throw unconfirmedCommitError(error);
    if (findPostgresCode(error) !== FAILED_TRANSACTION_CODE) throw error;
  }
  await statements.settle();
  throw new Error("A statement of the transaction had failed: nothing was stored.");
}

/** SQLSTATE codes of `enterCurrentSchema` for a missing database or unsupported schema. */
const OTHER_SCHEMA_CODES: readonly unknown[] = [...MISSING_SCHEMA_CODES, "42704"];

/**
 * Transactions on one PostgreSQL database: entering its schema, ending, and returning the
 * connection. Tracks the database's number.
 */
export class PostgresTransactions {
  readonly #options: PostgresDatabaseOptions;
  /** True if it had a supported schema when last used. */
  #isCurrent = false;
  #number: number | undefined;
  #closed = false;

  constructor(options: PostgresDatabaseOptions) {
    this.#options = options;
  }

  get isCurrent(): boolean {
    return this.#isCurrent;
  }

  get number(): number | undefined {
    return this.#number;
  }

  noteCurrent(): void {
    this.#isCurrent = true;
  }

  close(): void {
    this.#closed = true;
  }

  noteNumber(number: number | undefined): void {
    this.#number = number;
  }

  commit(lease: Lease): Promise<void> {
    return commitTransaction(lease);
  }

  /**
   * Runs a transaction if the database exists with a supported schema; otherwise returns undefined.
   * Does not wait for the result of its beginning, which saves a round trip: if the schema is
   * unsupported, all statements fail.
   */
  async whereCurrent<T>(
    { begin, lock = "", after }: Beginning,
    body: (tx: Tx) => Promise<T>,
    end: (lease: Lease) => Promise<void>,
  ): Promise<{ readonly result: T } | undefined> {
    if (!this.#isCurrent) return undefined;
    const { address, name, migrations } = this.#options;
    const enter = enterCurrentSchema(address.schema, { name, served: migrations, lock });
    return this.lease(async (lease) => {
      const started = beginInCurrent(lease, { begin, enter, after });
      const [beginning, rest] = await Promise.allSettled([started, body(lease.tx)]);
      if (beginning.status === "rejected") {
        if (!OTHER_SCHEMA_CODES.includes(findPostgresCode(beginning.reason)))
          throw beginning.reason;
        await lease.client.query("rollback");
        this.#isCurrent = false;
        return undefined;
      }
      if (rest.status === "rejected") throw rest.reason;
      this.noteNumber(beginning.value?.number);
      await end(lease);
      return { result: rest.value };
    });
  }

  /** Throws not_found if the database does not exist, conflict if its schema is unsupported. */
  async requireCurrent(): Promise<void> {
    const found = await this.find();
    if (found === undefined) throw this.missing();
    this.#options.migrations.require(found);
    this.#isCurrent = true;
  }

  async begin(client: ClientBase, beginning: Beginning): Promise<EnteredDatabase | undefined> {
    const { schema } = this.#options.address;
    const entered = await beginIn(client, { schema, name: this.#options.name }, beginning);
    if (entered !== undefined) this.noteNumber(entered.number);
    return entered;
  }

  async find(): Promise<EnteredDatabase | undefined> {
    const { address, name } = this.#options;
    const [found] = await this.ask<EnteredDatabase>(enterDatabase(address.schema, name));
    this.noteNumber(found?.number);
    return found;
  }

  async ask<Row extends object>(query: string): Promise<Row[]> {
    return this.lease(async ({ client }) => {
      try {
        return (await client.query<Row>(query)).rows;
      } catch (error) {
        if (MISSING_SCHEMA_CODES.includes(findPostgresCode(error))) return [];
        throw error;
      }
    });
  }

  async outside(body: (client: ClientBase, schema: string) => Promise<void>): Promise<void> {
    const found = await this.find();
    if (found === undefined) throw this.missing();
    const schema = schemaName(this.#options.address.schema, found.number);
    await this.lease(async ({ client }) => {
      if (this.#options.pool.isPooled) return body(client, schema);
      await client.query("set lock_timeout = '15s'; set statement_timeout = 0");
      try {
        await body(client, schema);
      } finally {
        await client.query("reset lock_timeout; reset statement_timeout");
      }
    });
  }

  /** Always returns the connection, closing it if a transaction is still open. */
  async lease<T>(
    body: (lease: Lease) => Promise<T>,
    pool: ConnectionPool = this.#options.pool,
  ): Promise<T> {
    if (this.#closed) throw new CairnError("busy", "The database is closing.");
    const { name, onStatement } = this.#options;
    const lease = await pool.lease(name, onStatement);
    try {
      const result = await body(lease);
      lease.release();
      return result;
    } catch (error) {
      lease.release(await rollbackFailure(lease.client, error));
      throw translatePostgresError(error);
    }
  }

  missing(): CairnError {
    this.#isCurrent = false;
    this.noteNumber(undefined);
    return notFound(
      `There is no database "${this.#options.name}" in ${this.#options.address.shown} anymore. The next write creates it.`,
    );
  }
}
