import { Mutex } from "async-mutex";
import { sql } from "drizzle-orm";
import type { ClientBase, QueryResult } from "pg";
import { CairnError, invalidInput, notFound } from "../../kernel/errors.ts";
import type { Database, DatabaseOptions, LeftOver, Reader } from "../database.ts";
import type { MigratedDatabase, MigrateOptions } from "../database-place.ts";
import { IN_ORDER, type Standing } from "../standing.ts";
import type { Tx } from "../tx.ts";
import type { ConnectionPool, Lease } from "./connection-pool.ts";
import {
  addNeeds,
  createNames,
  enterCurrent,
  enterDatabase,
  enterSchema,
  schemaOf,
} from "./database-names.ts";
import {
  type Beginning,
  beginIn,
  type Entered,
  endOfRead,
  enteredOf,
  NEWEST_SEQ,
  NOTHING_YET,
  READ,
} from "./enter-database.ts";
import { findInTables } from "./find-in-tables.ts";
import { GroupedWrites } from "./grouped-writes.ts";
import { keptByServer } from "./kept-by-server.ts";
import { migratePostgres } from "./migrate-postgres.ts";
import type { Migrations } from "./migrations.ts";
import type { PostgresAddress } from "./postgres-address.ts";
import {
  commitWithoutAnswer,
  isConnectionLoss,
  postgresCodeOf,
  translatePostgresError,
} from "./postgres-error.ts";
import { escapeIdentifier, escapeLiteral } from "./quote.ts";
import type { Replicas } from "./replicas.ts";
import { freeDeletedRows, rewriteTables } from "./rewrite-tables.ts";
import { failureOfRollback } from "./roll-back.ts";

export interface PostgresDatabaseOptions extends DatabaseOptions {
  readonly pool: ConnectionPool;
  /**
   * Connections for `claim` only: its holders need a further connection, and with a shared pool they could
   * block each other.
   */
  readonly claims: ConnectionPool;
  readonly replicas: Replicas;
  readonly migrations: Migrations;
  /** Asks a short question outside of any transaction, without waiting for anybody. */
  readonly ask: <Row extends object>(text: string) => Promise<Row[]>;
  readonly address: PostgresAddress;
  readonly name: string;
}

/** The lock timeout is how long a writer waits for another one. */
const WRITE = "begin isolation level read committed; set local lock_timeout = '60s';";
/** The timeout is longer than a model needs for one claim. */
const CLAIM = `begin isolation level read committed;
  set local idle_in_transaction_session_timeout = '2min';`;
/** SQLSTATE codes with which `enterCurrent` fails if there is no database with a served schema. */
const IS_OTHER: readonly unknown[] = [...NOTHING_YET, "42704"];

const ONLY_READS: Standing = {
  state: "read_only",
  message:
    "The PostgreSQL server only reads: it is a replica, or was set so. Name the primary in the setting database.",
};
const NOT_THROUGH_A_POOLER =
  "A rewrite goes on in one session, which a pooler does not give: run it with the address of the PostgreSQL server itself.";
/** SQLSTATE of a statement in a transaction in which another one has failed. */
const ENDED_BY_FAILURE = "25P02";
const NO_STATEMENT_LIMIT = "set local statement_timeout = 0";

/**
 * One database of a PostgreSQL server, stored as a schema. A writer locks the row of the name and so excludes
 * all other writers; readers see one moment each and wait for nobody. The first write creates the schema in
 * its own transaction, so that a failed write leaves nothing behind.
 */
export class PostgresDatabase implements Database {
  readonly engine = "postgres";
  readonly isOnServer = true;
  readonly fileWorkedOnApart = undefined;
  readonly #options: PostgresDatabaseOptions;
  /** Only one writer of this process at a time asks for the lock; the others hold no connection. */
  readonly #writeLock = new Mutex();
  readonly #writes = new GroupedWrites();
  /** Whether it existed with a served schema when it was last used. */
  #isCurrent = false;
  /** Number of the database that has the name, once known. */
  #number: number | undefined;
  /** Number of the newest event that this process has stored or reported. */
  #seen = 0;
  #closed = false;

  constructor(options: PostgresDatabaseOptions) {
    this.#options = options;
  }

  get location(): string {
    return this.#options.address.shown;
  }

  /** Asked only until the answer is yes. If the database is removed later, the next read reports it. */
  async isThere(): Promise<boolean> {
    return this.#isCurrent || (await this.#find()) !== undefined;
  }

  get newestSeen(): number | undefined {
    return this.#options.replicas.areThere ? this.#seen : undefined;
  }

  async nameOfOtherCase(): Promise<string | undefined> {
    const { name } = this.#options;
    const names = `${escapeIdentifier(this.#options.address.schema)}.databases`;
    const query = `select name from ${names} where lower(name) = lower(${escapeLiteral(name)}) and name <> ${escapeLiteral(name)}`;
    const [row] = await this.#ask<{ name: string }>(query);
    return row?.name;
  }

  /** The server itself reports what it cannot write. */
  requireSound(): Promise<void> {
    return Promise.resolve();
  }

  write<T>(body: (tx: Tx) => Promise<T>): Promise<T> {
    const run = this.#writes.add(body);
    return this.#writeLock.runExclusive(() => run((together) => this.#writeAlone(together)));
  }

  /** Under the lock of the writers. */
  async #writeAlone<T>(body: (tx: Tx) => Promise<T>): Promise<T> {
    const beginning = { ...this.#writing, lock: "for update" };
    const done = await this.#whereCurrent(beginning, body, (lease) => this.#commit(lease));
    if (done !== undefined) return done.result;
    return this.#lease(async (lease) => {
      await this.#beginWrite(lease.client);
      const result = await body(lease.tx);
      await this.#commit(lease);
      this.#isCurrent = true;
      return result;
    });
  }

  /** If two of these write the same row at once, the later one wins and sees what the other wrote. */
  async writeDerived<T>(body: (tx: Tx) => Promise<T>): Promise<T> {
    const done = await this.#whereCurrent(this.#writing, body, (lease) => this.#commit(lease));
    if (done !== undefined) return done.result;
    await this.#requireCurrent();
    return this.writeDerived(body);
  }

  /**
   * The transaction holds only advisory locks and no snapshot, on a connection that no reader or writer needs
   * meanwhile. A process that hangs in its work loses the locks as well.
   */
  async claim<Rows, T>(
    choose: (tx: Tx) => Promise<Rows>,
    work: (rows: Rows) => Promise<T>,
  ): Promise<T> {
    await this.#requireCurrent();
    return this.#lease(async ({ client, tx }) => {
      const entered = await this.#begin(client, { begin: CLAIM, after: this.#statementLimit });
      if (entered === undefined) throw this.#missing();
      const result = await work(await choose(tx));
      // Finished work counts whether or not the claim lasted until then.
      await client.query("rollback").catch(() => undefined);
      return result;
    }, this.#options.claims);
  }

  async refine(statements: readonly string[]): Promise<void> {
    if (statements.length === 0) return;
    const found = await this.#find();
    if (found === undefined) throw this.#missing();
    const schema = escapeLiteral(schemaOf(this.#options.address.schema, found.number));
    const key = `hashtext('cairn refine ' || ${schema})`;
    // A transaction lock without a snapshot; a pooler would lose a session lock.
    await this.#lease(async ({ client }) => {
      await client.query("begin; set local idle_in_transaction_session_timeout = 0");
      const { rows } = await client.query<{ mine: boolean }>(
        `select pg_try_advisory_xact_lock(${key}) as mine`,
      );
      if (rows[0]?.mine === true) {
        await this.#outside(async (worker) => {
          for (const statement of statements) await worker.query(statement);
        });
      }
      await client.query("rollback");
    }, this.#options.claims);
  }

  async read<T>(body: (tx: Tx) => Promise<T>, reader?: Reader): Promise<T> {
    const answer = reader === undefined ? undefined : await this.#readReplica(body, reader);
    return answer === undefined ? this.#readPrimary(body) : answer.result;
  }

  async #readPrimary<T>(body: (tx: Tx) => Promise<T>): Promise<T> {
    const limit = this.#statementLimit;
    const after = this.#asksSeq ? `${limit}; ${NEWEST_SEQ}` : limit;
    const done = await this.#whereCurrent({ begin: READ, after }, body, endOfRead);
    if (done !== undefined) return done.result;
    await this.#requireCurrent();
    return this.#readPrimary(body);
  }

  /**
   * A replica must have replayed everything that this process has stored or reported, so that no caller sees
   * an older state afterwards.
   */
  async #readReplica<T>(body: (tx: Tx) => Promise<T>, { seen = 0 }: Reader) {
    const { replicas, migrations, address, name, onStatement } = this.#options;
    const number = this.#number;
    if (!replicas.areThere || number === undefined) return undefined;
    const seq = Math.max(this.#seen, seen);
    const wanted = { schema: address.schema, name, number, migrations, seq };
    const answer = await replicas.read(wanted, body, onStatement);
    this.#noteSeen(answer?.seq);
    return answer;
  }

  /** A different database under the same name has its own feed. */
  #noteNumber(number: number | undefined): void {
    if (number !== this.#number) this.#seen = 0;
    this.#number = number;
  }

  #noteSeen(seq: number | undefined): void {
    if (seq !== undefined) this.#seen = Math.max(this.#seen, seq);
  }

  /** The feed's position only matters if a replica may be behind it. */
  get #asksSeq(): boolean {
    return this.#options.replicas.areThere;
  }

  async #commit(lease: Lease): Promise<void> {
    this.#noteSeen(await commit(lease, this.#asksSeq));
  }

  fill<T>(body: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#writeLock.runExclusive(() =>
      this.#writeAlone(async (tx) => {
        await tx.run(sql.raw(NO_STATEMENT_LIMIT));
        return body(tx);
      }),
    );
  }

  abandonedDrafts(): readonly string[] {
    return [];
  }

  removeAbandonedDrafts(): void {
    // The server itself removes what an ended transaction has left.
  }

  erase(): Promise<void> {
    return this.#outside(freeDeletedRows);
  }

  async rewrite(): Promise<void> {
    if (this.#options.pool.isPooled) throw invalidInput(NOT_THROUGH_A_POOLER);
    await this.#writeLock.runExclusive(() => this.#outside(rewriteTables));
  }

  keptElsewhere(tx: Tx): Promise<string[]> {
    return keptByServer(tx);
  }

  findBytes(text: string): Promise<LeftOver[]> {
    return this.read((tx) => findInTables(tx, text));
  }

  rest(): void {
    // Connections belong to the place, which closes idle ones.
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#writeLock.waitForUnlock();
  }

  /** Asked over a separate connection. Throws the error of reaching the server. */
  async standing(): Promise<Standing> {
    const { ask, address, name, migrations } = this.#options;
    const [server] = await ask<{ reads: boolean }>(
      "select current_setting('transaction_read_only') = 'on' as reads",
    );
    const [found] = await ask<Entered>(enterDatabase(address.schema, name));
    const message = found === undefined ? undefined : migrations.refusal(found);
    if (found !== undefined && message !== undefined) {
      return { state: migrations.isBeyond(found) ? "newer" : "older", message };
    }
    return server?.reads === true ? ONLY_READS : IN_ORDER;
  }

  /**
   * Runs one transaction if the database exists with a served schema; otherwise undefined. It does not wait
   * for the answer to its beginning, which saves a round trip: if the tables are not the expected ones, the
   * beginning fails and everything after it too.
   */
  async #whereCurrent<T>(
    { begin, lock = "", after }: Beginning,
    body: (tx: Tx) => Promise<T>,
    end: (lease: Lease) => Promise<void>,
  ): Promise<{ readonly result: T } | undefined> {
    if (!this.#isCurrent) return undefined;
    const { address, name, migrations } = this.#options;
    const enter = enterCurrent(address.schema, { name, served: migrations, lock });
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
      const entered = enteredOf(beginning.value);
      this.#noteNumber(entered?.number);
      this.#noteSeen(entered?.seq);
      await end(lease);
      return { result: rest.value };
    });
  }

  /** Throws not_found if the database does not exist, conflict if its schema is not served. */
  async #requireCurrent(): Promise<void> {
    const found = await this.#find();
    if (found === undefined) throw this.#missing();
    this.#options.migrations.require(found);
    this.#isCurrent = true;
  }

  async #beginWrite(client: ClientBase): Promise<void> {
    const { migrations } = this.#options;
    const begun = await this.#begin(client, { ...this.#writing, lock: "for update" });
    if (begun !== undefined && migrations.serves(begun)) return;
    if (begun !== undefined && migrations.isBeyond(begun)) migrations.require(begun);
    const found = await this.#make(client, begun === undefined ? "any" : "existing");
    const isNew = found.version === 0;
    const to = isNew ? migrations.newest : migrations.reach(found.version, ["expand", "together"]);
    if (to < migrations.oldest) migrations.require(found);
    if (to > found.version) await this.#bringTo(client, found, to);
  }

  async #bringTo(client: ClientBase, { number, version }: Entered, to: number): Promise<void> {
    const { migrations } = this.#options;
    await client.query(NO_STATEMENT_LIMIT);
    await migratePostgres(client, migrations.between(version, to));
    await client.query(
      `update ${this.#names} set version = ${to}, needs = ${migrations.needsOf(to)} where number = ${number}; ${this.#statementLimit}`,
    );
  }

  /**
   * Runs pending scripts up to the first that stops servers of the previous version, or all of them with
   * `finish`. Returns what was done or is to be done.
   */
  async migrate({ finish, dryRun }: MigrateOptions): Promise<MigratedDatabase> {
    const { migrations, name } = this.#options;
    const kinds = finish ? (["expand", "contract", "together"] as const) : (["expand"] as const);
    return this.#writeLock.runExclusive(() =>
      this.#lease(async ({ client }) => {
        const found = dryRun
          ? await this.#begin(client, { begin: READ, after: this.#statementLimit })
          : await this.#make(client, "existing");
        if (found === undefined) throw this.#missing();
        const to = migrations.reach(found.version, kinds);
        if (!dryRun && to > found.version) await this.#bringTo(client, found, to);
        await client.query("commit");
        return {
          name,
          from: found.version,
          to,
          scripts: migrations.between(found.version, to).map((script) => script.name),
          left: migrations.between(to, migrations.newest).map((script) => script.name),
        };
      }),
    );
  }

  /** A writer may wait for the lock as long as that takes, so the statement timeout is set after it. */
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

  /**
   * Creates the database in the transaction of the first write. Others that want to create it wait until this
   * is stored.
   */
  async #make(client: ClientBase, which: "existing" | "any" = "any"): Promise<Entered> {
    const { address, name } = this.#options;
    await client.query("rollback");
    const { begin, after } = this.#writing;
    await client.query(
      `${begin} select pg_advisory_xact_lock(hashtext(${escapeLiteral(`cairn:${address.schema}`)})); ${which === "any" ? createNames(address.schema) : addNeeds(address.schema)} ${after}`,
    );
    const query = `${enterDatabase(address.schema, name)} for update`;
    const [made] = (await client.query<Entered>(query)).rows;
    if (made !== undefined) {
      this.#noteNumber(made.number);
      return made;
    }
    if (which === "existing") throw this.#missing();
    const { rows } = await client.query<{ number: number }>(
      `insert into ${this.#names}(number, name, version) select coalesce(max(number), 0) + 1, ${escapeLiteral(name)}, 0 from ${this.#names} returning number`,
    );
    const number = rows[0]?.number ?? 1;
    const schema = schemaOf(address.schema, number);
    await client.query(
      `create schema ${escapeIdentifier(schema)}; select ${enterSchema(escapeLiteral(schema))}`,
    );
    this.#noteNumber(number);
    return { number, version: 0, needs: 0, seq: undefined };
  }

  get #names(): string {
    return `${escapeIdentifier(this.#options.address.schema)}.databases`;
  }

  async #begin(client: ClientBase, beginning: Beginning): Promise<Entered | undefined> {
    const { schema } = this.#options.address;
    const entered = await beginIn(client, { schema, name: this.#options.name }, beginning);
    if (entered !== undefined) this.#noteNumber(entered.number);
    return entered;
  }

  async #find(): Promise<Entered | undefined> {
    const { address, name } = this.#options;
    const [found] = await this.#ask<Entered>(enterDatabase(address.schema, name));
    this.#noteNumber(found?.number);
    return found;
  }

  /** Rows of one statement outside of any transaction; none if nobody has made a database yet. */
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

  /**
   * For statements that no transaction may contain. A pooler may give each statement another session, so the
   * search path cannot be relied on.
   */
  async #outside(body: (client: ClientBase, schema: string) => Promise<void>): Promise<void> {
    const found = await this.#find();
    if (found === undefined) throw this.#missing();
    const schema = schemaOf(this.#options.address.schema, found.number);
    await this.#lease(async ({ client }) => {
      if (this.#options.pool.isPooled) return body(client, schema);
      await client.query("set lock_timeout = '15s'; set statement_timeout = 0");
      try {
        await body(client, schema);
      } finally {
        await client.query("reset lock_timeout; reset statement_timeout");
      }
    });
  }

  /** Whatever fails, the connection is returned without an open transaction or closed. */
  async #lease<T>(
    body: (lease: Lease) => Promise<T>,
    pool: ConnectionPool = this.#options.pool,
  ): Promise<T> {
    if (this.#closed) throw new CairnError("busy", "The database is closing.");
    const { onStatement } = this.#options;
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
    this.#noteNumber(undefined);
    return notFound(
      `There is no database "${this.#options.name}" in ${this.location} any more. The first write makes it anew.`,
    );
  }
}

/**
 * Commits. PostgreSQL answers a commit after a failed statement by rolling back without an error, so this
 * checks the answer. Returns the feed's position that was asked for before it.
 */
async function commit(
  { client, statements }: Lease,
  asksSeq: boolean,
): Promise<number | undefined> {
  try {
    const answer: unknown = await client.query(asksSeq ? `${NEWEST_SEQ}; commit` : "commit");
    const results = (Array.isArray(answer) ? answer : [answer]) as QueryResult<{ seq: number }>[];
    if (results.at(-1)?.command === "COMMIT") return results[0]?.rows[0]?.seq;
  } catch (error) {
    if (isConnectionLoss(error)) throw commitWithoutAnswer(error);
    if (postgresCodeOf(error) !== ENDED_BY_FAILURE) throw error;
  }
  await statements.settle();
  throw new Error("A statement of the transaction had failed: nothing was stored.");
}
