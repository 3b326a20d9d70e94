import { Mutex } from "async-mutex";
import { sql } from "drizzle-orm";
import type { ClientBase, QueryResult } from "pg";
import { CairnError, notFound } from "../../kernel/errors.ts";
import type { Database, DatabaseOptions, LeftOver } from "../database.ts";
import type { Tx } from "../tx.ts";
import type { ConnectionPool, Lease } from "./connection-pool.ts";
import {
  createNames,
  enterCurrent,
  enterDatabase,
  enterSchema,
  schemaOf,
} from "./database-names.ts";
import { findInTables } from "./find-in-tables.ts";
import { listScripts, migratePostgres, requireKnown } from "./migrate-postgres.ts";
import type { PostgresAddress } from "./postgres-address.ts";
import {
  commitWithoutAnswer,
  isConnectionLoss,
  postgresCodeOf,
  translatePostgresError,
} from "./postgres-error.ts";
import { escapeIdentifier, escapeLiteral } from "./quote.ts";
import { rewriteTables } from "./rewrite-tables.ts";

export interface PostgresDatabaseOptions extends DatabaseOptions {
  readonly pool: ConnectionPool;
  readonly address: PostgresAddress;
  readonly name: string;
}

/** How long a writer waits for another one. */
const WRITE = "begin isolation level read committed; set local lock_timeout = '60s';";
/** A reader holds nobody up, and may hand on what it reads to somebody slow. */
const READ = `begin isolation level repeatable read read only;
  set local idle_in_transaction_session_timeout = '10min';`;
/** Nobody has made a database here yet: no such schema, no such table. */
const NOTHING_YET: readonly unknown[] = ["3F000", "42P01"];
/** Besides, what `enterCurrent` fails with. */
const IS_OTHER: readonly unknown[] = [...NOTHING_YET, "42704"];

const NO_STATEMENT_LIMIT = "set local statement_timeout = 0";

interface Found {
  readonly number: number;
  readonly version: number;
}

/** Statements around the one that enters a database. */
interface Beginning {
  readonly begin: string;
  readonly lock?: string;
  readonly after: string;
}

/**
 * One database of a PostgreSQL server: a schema. A writer locks the row of its name and so is alone
 * among all processes, while readers each see one moment and wait for nobody. The first write makes
 * the schema in its own transaction, so that one that fails leaves nothing.
 */
export class PostgresDatabase implements Database {
  readonly engine = "postgres";
  readonly #options: PostgresDatabaseOptions;
  /** One writer of this process asks for the lock at a time; the others hold no connection. */
  readonly #writeLock = new Mutex();
  #scripts: readonly string[] | undefined;
  /** It was there and up to date when it was last used. */
  #isCurrent = false;
  #closed = false;

  constructor(options: PostgresDatabaseOptions) {
    this.#options = options;
  }

  get location(): string {
    return this.#options.address.shown;
  }

  /** Asked until it is: one that is removed later is told of by whoever reads it. */
  async isThere(): Promise<boolean> {
    return this.#isCurrent || (await this.#find()) !== undefined;
  }

  async nameOfOtherCase(): Promise<string | undefined> {
    const { name } = this.#options;
    const names = `${escapeIdentifier(this.#options.address.schema)}.databases`;
    const query = `select name from ${names} where lower(name) = lower(${escapeLiteral(name)}) and name <> ${escapeLiteral(name)}`;
    const [row] = await this.#ask<{ name: string }>(query);
    return row?.name;
  }

  write<T>(body: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#writeLock.runExclusive(async () => {
      const beginning = { ...this.#writing, lock: "for update" };
      const done = await this.#whereCurrent(beginning, body, commit);
      if (done !== undefined) return done.result;
      return this.#lease(async (lease) => {
        await this.#beginWrite(lease.client);
        const result = await body(lease.tx);
        await commit(lease);
        this.#isCurrent = true;
        return result;
      });
    });
  }

  /** Rows that two of these write at once are the later one's, which sees what the other wrote. */
  async writeDerived<T>(body: (tx: Tx) => Promise<T>): Promise<T> {
    const done = await this.#whereCurrent(this.#writing, body, commit);
    if (done !== undefined) return done.result;
    await this.#requireCurrent();
    return this.writeDerived(body);
  }

  async refine(statements: readonly string[]): Promise<void> {
    if (statements.length === 0) return;
    const found = await this.#find();
    if (found === undefined) throw this.#missing();
    const schema = escapeLiteral(schemaOf(this.#options.address.schema, found.number));
    const key = `hashtext('cairn refine ' || ${schema})`;
    await this.#lease(async ({ client }) => {
      const { rows } = await client.query<{ mine: boolean }>(
        `select pg_try_advisory_lock(${key}) as mine`,
      );
      if (rows[0]?.mine !== true) return;
      try {
        await client.query(`select ${enterSchema(schema, "session")}; set statement_timeout = 0`);
        for (const statement of statements) await client.query(statement);
      } finally {
        await client.query(
          `reset search_path; reset statement_timeout; select pg_advisory_unlock(${key})`,
        );
      }
    });
  }

  async read<T>(body: (tx: Tx) => Promise<T>): Promise<T> {
    const done = await this.#whereCurrent(
      { begin: READ, after: this.#statementLimit },
      body,
      endOfRead,
    );
    if (done !== undefined) return done.result;
    await this.#requireCurrent();
    return this.read(body);
  }

  fill<T>(body: (tx: Tx) => Promise<T>): Promise<T> {
    return this.write(async (tx) => {
      await tx.run(sql.raw(NO_STATEMENT_LIMIT));
      return body(tx);
    });
  }

  abandonedDrafts(): readonly string[] {
    return [];
  }

  removeAbandonedDrafts(): void {
    // What a transaction that ended has left, the server removes by itself.
  }

  async erase(): Promise<void> {
    await this.#outside((client, schema) => rewriteTables(client, schema));
  }

  findBytes(text: string): Promise<LeftOver[]> {
    return this.read((tx) => findInTables(tx, text));
  }

  rest(): void {
    // Connections belong to the place, which closes those that are idle.
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#writeLock.waitForUnlock();
  }

  get #known(): readonly string[] {
    this.#scripts ??= listScripts();
    return this.#scripts;
  }

  /**
   * One transaction in a database that is there and up to date; undefined where it is not. Nothing
   * waits for the beginning to be answered, which is a round trip: it fails where the rest would
   * find other tables than it knows, and the rest with it.
   */
  async #whereCurrent<T>(
    { begin, lock = "", after }: Beginning,
    body: (tx: Tx) => Promise<T>,
    end: (lease: Lease) => Promise<void>,
  ): Promise<{ readonly result: T } | undefined> {
    if (!this.#isCurrent) return undefined;
    const { address, name } = this.#options;
    const version = this.#known.length;
    const enter = enterCurrent(address.schema, { name, version, lock });
    return this.#lease(async (lease) => {
      const begun = lease.client.query(`${begin} ${enter}; ${after}`);
      const [beginning, rest] = await Promise.allSettled([begun, body(lease.tx)]);
      if (beginning.status === "rejected") {
        if (!IS_OTHER.includes(postgresCodeOf(beginning.reason))) throw beginning.reason;
        await lease.client.query("rollback");
        this.#isCurrent = false;
        return undefined;
      }
      if (rest.status === "rejected") throw rest.reason;
      await end(lease);
      return { result: rest.value };
    });
  }

  /** Brings it up to date where it is behind. Throws not_found where there is none. */
  async #requireCurrent(): Promise<void> {
    const found = await this.#find();
    if (found === undefined) throw this.#missing();
    requireKnown(found.version, this.#known.length);
    if (found.version < this.#known.length) await this.write(() => Promise.resolve());
    this.#isCurrent = true;
  }

  async #beginWrite(client: ClientBase): Promise<void> {
    const begun = await this.#enter(client, { ...this.#writing, lock: "for update" });
    const found = begun ?? (await this.#make(client));
    requireKnown(found.version, this.#known.length);
    if (found.version === this.#known.length) return;
    await client.query(NO_STATEMENT_LIMIT);
    await migratePostgres(client, { from: found.version, scripts: this.#known });
    await client.query(
      `update ${this.#names} set version = ${this.#known.length} where number = ${found.number}; ${this.#statementLimit}`,
    );
  }

  /** Who waits for the lock waits as long as that may take, so that the limit of a statement comes last. */
  get #writing(): Beginning {
    const { idleTransactionTimeoutMs } = this.#options.pool.settings;
    return {
      begin: `${WRITE} set local idle_in_transaction_session_timeout = ${idleTransactionTimeoutMs};`,
      after: this.#statementLimit,
    };
  }

  get #statementLimit(): string {
    return `set local statement_timeout = ${this.#options.pool.settings.statementTimeoutMs}`;
  }

  /** In the transaction of the first write. Who else makes one here waits until it is stored. */
  async #make(client: ClientBase): Promise<Found> {
    const { address, name } = this.#options;
    await client.query("rollback");
    const { begin, after } = this.#writing;
    await client.query(
      `${begin} select pg_advisory_xact_lock(hashtext(${escapeLiteral(`cairn:${address.schema}`)})); ${createNames(address.schema)} ${after}`,
    );
    const query = `${enterDatabase(address.schema, name)} for update`;
    const [made] = (await client.query<Found>(query)).rows;
    if (made !== undefined) return made;
    const { rows } = await client.query<{ number: number }>(
      `insert into ${this.#names}(number, name, version) select coalesce(max(number), 0) + 1, ${escapeLiteral(name)}, 0 from ${this.#names} returning number`,
    );
    const number = rows[0]?.number ?? 1;
    const schema = schemaOf(address.schema, number);
    await client.query(
      `create schema ${escapeIdentifier(schema)}; select ${enterSchema(escapeLiteral(schema))}`,
    );
    return { number, version: 0 };
  }

  get #names(): string {
    return `${escapeIdentifier(this.#options.address.schema)}.databases`;
  }

  /** Begins a transaction and enters the database; one round trip. Undefined where there is none. */
  async #enter(
    client: ClientBase,
    { begin, lock = "", after }: Beginning,
  ): Promise<Found | undefined> {
    const { address, name } = this.#options;
    try {
      const results: unknown = await client.query(
        `${begin} ${enterDatabase(address.schema, name)} ${lock}; ${after}`,
      );
      // The driver has one for each statement, and does not say so in its types.
      const found = (results as QueryResult<Found>[]).find(({ command }) => command === "SELECT");
      return found?.rows[0];
    } catch (error) {
      if (NOTHING_YET.includes(postgresCodeOf(error))) return undefined;
      throw error;
    }
  }

  async #find(): Promise<Found | undefined> {
    const { address, name } = this.#options;
    const [found] = await this.#ask<Found>(enterDatabase(address.schema, name));
    return found;
  }

  /** Rows of one statement outside of any transaction; none where nobody made a database yet. */
  async #ask<Row extends object>(query: string): Promise<Row[]> {
    return this.#lease(async ({ client }) => {
      try {
        return (await client.query<Row>(query)).rows;
      } catch (error) {
        if (NOTHING_YET.includes(postgresCodeOf(error))) return [];
        throw error;
      }
    });
  }

  /** For what no transaction may hold. Nobody of this process writes meanwhile. */
  async #outside(body: (client: ClientBase, schema: string) => Promise<void>): Promise<void> {
    const found = await this.#find();
    if (found === undefined) throw this.#missing();
    const schema = schemaOf(this.#options.address.schema, found.number);
    await this.#writeLock.runExclusive(() => this.#lease(({ client }) => body(client, schema)));
  }

  /** Whatever fails, the connection comes back without a transaction, or not at all. */
  async #lease<T>(body: (lease: Lease) => Promise<T>): Promise<T> {
    if (this.#closed) throw new CairnError("busy", "The database is closing.");
    const { pool, onStatement } = this.#options;
    const lease = await pool.lease(onStatement);
    try {
      const result = await body(lease);
      lease.release();
      return result;
    } catch (error) {
      lease.release(await failureOfRollback(lease.client, error));
      throw translatePostgresError(error);
    }
  }

  #missing(): CairnError {
    this.#isCurrent = false;
    return notFound(
      `There is no database "${this.#options.name}" in ${this.location} any more. The first write makes it anew.`,
    );
  }
}

/** A transaction in which a statement failed is rolled back by a commit, without an error. */
async function commit({ client, statements }: Lease): Promise<void> {
  try {
    const { command } = await client.query("commit");
    if (command === "COMMIT") return;
  } catch (error) {
    throw isConnectionLoss(error) ? commitWithoutAnswer(error) : error;
  }
  await statements.settle();
  throw new Error("A statement of the transaction had failed: nothing was stored.");
}

/** Whether the end of a read went well, whoever uses the connection next is told. */
async function endOfRead({ client }: Lease): Promise<void> {
  client.query("commit").catch(() => undefined);
}

/** Undefined when the transaction was rolled back. */
async function failureOfRollback(client: ClientBase, cause: unknown): Promise<unknown> {
  if (isConnectionLoss(cause)) return cause;
  try {
    await client.query("rollback");
    return undefined;
  } catch (error) {
    return error;
  }
}
