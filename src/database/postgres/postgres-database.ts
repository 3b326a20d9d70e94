import { Mutex } from "async-mutex";
import { sql } from "drizzle-orm";
import { invalidInput } from "../../shared/errors.ts";
import {
  type Database,
  type DatabaseStatus,
  type MigratedDatabase,
  type MigrateOptions,
  OK_STATUS,
  type TextOccurrence,
  type Tx,
} from "../database.ts";
import {
  enterDatabase,
  escapeIdentifier,
  escapeLiteral,
  rewriteTables,
  schemaName,
  vacuumTables,
} from "./database-names.ts";
import { DatabaseTables } from "./database-tables.ts";
import {
  BEGIN_READ,
  beginClaim,
  beginWrite,
  DISABLE_STATEMENT_TIMEOUT,
  type EnteredDatabase,
  endRead,
  statementLimit,
} from "./enter-database.ts";
import { isConnectionLoss } from "./postgres-error.ts";
import { type PostgresDatabaseOptions, PostgresTransactions } from "./postgres-transactions.ts";

/** Maximum writes per commit, which bounds the first one's latency. */
const MAX_ITEMS = 32;
/** No further write begins in a transaction that has lasted this long. */
const MAX_GROUP_MS = 100;

type WriteBody = (tx: Tx) => Promise<unknown>;
type WriteOutcome = { readonly result: unknown } | { readonly error: unknown };

/** A queued write, possibly executed in another one's transaction. */
class WaitingWrite {
  readonly body: WriteBody;
  outcome: WriteOutcome | undefined;

  constructor(body: WriteBody) {
    this.body = body;
  }

  answer(): unknown {
    if (this.outcome === undefined) throw new Error("The write was not run.");
    if ("error" in this.outcome) throw this.outcome.error;
    return this.outcome.result;
  }
}

/**
 * Groups waiting writes of one process into a shared commit. Each has a savepoint, so they fail
 * independently. None completes before the commit.
 */
class GroupedWrites {
  #waiting: WaitingWrite[] = [];

  /** Enqueues a write. The returned function must be called under the writer lock. */
  add<T>(body: (tx: Tx) => Promise<T>): (transact: Transact) => Promise<T> {
    const write = new WaitingWrite(body);
    this.#waiting.push(write);
    return async (transact) => {
      if (write.outcome === undefined) await this.#runWaiting(transact);
      return write.answer() as T;
    };
  }

  async #runWaiting(transact: Transact): Promise<void> {
    const group = this.#waiting.splice(0, MAX_ITEMS);
    const startedAt = performance.now();
    let outcomes: WriteOutcome[] = [];
    try {
      await transact(async (tx) => {
        outcomes = [];
        for (const { body } of group) {
          if (outcomes.length > 0 && performance.now() - startedAt > MAX_GROUP_MS) break;
          outcomes.push(
            group.length === 1 ? { result: await body(tx) } : await runIsolated(tx, body),
          );
        }
      });
    } catch (error) {
      outcomes = group.slice(0, Math.max(1, outcomes.length)).map(() => ({ error }));
    }
    for (const [index, outcome] of outcomes.entries()) {
      const write = group[index];
      if (write !== undefined) write.outcome = outcome;
    }
    this.#waiting = [...group.slice(outcomes.length), ...this.#waiting];
  }
}

type Transact = (body: WriteBody) => Promise<unknown>;

/** Runs constraint checks within its savepoint, which PostgreSQL would defer to the commit. */
async function runIsolated(tx: Tx, body: WriteBody): Promise<WriteOutcome> {
  await tx.run(sql`savepoint grouped_write`);
  try {
    const result = await body(tx);
    await tx.run(sql`set constraints all immediate`);
    await tx.run(sql`release savepoint grouped_write`);
    return { result };
  } catch (error) {
    if (isConnectionLoss(error)) throw error;
    await tx.run(sql`rollback to savepoint grouped_write`);
    await tx.run(sql`release savepoint grouped_write`);
    return { error };
  }
}

const MAX_FOUND = 20;

interface TextColumn {
  readonly table: string;
  readonly column: string;
}

async function findInTables(tx: Tx, text: string): Promise<TextOccurrence[]> {
  const forms = [...new Set([text, text.toLowerCase(), JSON.stringify(text).slice(1, -1)])];
  const columns = await tx.all<TextColumn>(
    sql`select table_name as "table", column_name as "column" from information_schema.columns where table_schema = current_schema() and data_type = 'text' order by 1, 2`,
  );
  const found: TextOccurrence[] = [];
  for (const { table, column } of columns) {
    const name = sql.identifier(column);
    for (const form of forms) {
      const rows = await tx.all<{ offset: number }>(
        sql`select strpos(${name}, ${form}) - 1 as "offset" from ${sql.identifier(table)} where strpos(${name}, ${form}) > 0 limit ${MAX_FOUND}`,
      );
      found.push(...rows.map(({ offset }) => ({ file: `${table}.${column}`, offset })));
    }
  }
  return found.slice(0, MAX_FOUND);
}

/** Lists where a PostgreSQL installation may retain deleted text, one sentence each. */
async function listStoredByServer(tx: Tx): Promise<string[]> {
  const [row] = await tx.all<{ archive: string; replicas: number }>(
    sql`select current_setting('archive_mode') as archive, (select count(*) from pg_catalog.pg_stat_replication) as replicas`,
  );
  const { archive = "off", replicas = 0 } = row ?? {};
  return [
    "The table files contain its bytes until the freed space is reused; new queries cannot read them. `cairn doctor --rewrite` removes them and blocks other access meanwhile.",
    "The server's write-ahead log contains it until its files are recycled.",
    ...(archive === "off"
      ? []
      : [
          "The archive of the write-ahead log (archive_mode) contains it as long as you retain the archive.",
        ]),
    ...(replicas === 0 ? [] : [`${getReplicas(replicas)} until the purge is replayed there.`]),
    "Every earlier backup of the server contains it.",
  ];
}

const getReplicas = (count: number) =>
  count === 1 ? "A replica contains it" : `${count} replicas contain it`;

const READ_ONLY_STATUS: DatabaseStatus = {
  state: "read_only",
  message:
    "The PostgreSQL server is read-only: it is a replica or configured so. Set the setting database to the primary.",
};
const POOLER_ERROR =
  "A rewrite needs one session, which a pooler does not provide: run it with the address of the PostgreSQL server itself.";

/**
 * A database on a PostgreSQL server, stored as a schema. A writer locks the row of the name, which
 * excludes all other writers; readers use snapshots and never wait. The first write creates the
 * schema in its own transaction, so that a failed write leaves nothing behind.
 */
export class PostgresDatabase implements Database {
  readonly engine = "postgres";
  readonly isOnServer = true;
  readonly fileWorkedOnApart = undefined;
  readonly #options: PostgresDatabaseOptions;
  /** Only one writer per process waits for the lock; others occupy no connection. */
  readonly #writeLock = new Mutex();
  readonly #writes = new GroupedWrites();
  readonly #transactions: PostgresTransactions;
  readonly #tables: DatabaseTables;

  constructor(options: PostgresDatabaseOptions) {
    this.#options = options;
    this.#transactions = new PostgresTransactions(options);
    this.#tables = new DatabaseTables(options, this.#transactions);
  }

  get location(): string {
    return this.#options.address.shown;
  }

  /** Cached once true. If the database is removed later, the next read reports it. */
  async exists(): Promise<boolean> {
    return this.#transactions.isCurrent || (await this.#transactions.find()) !== undefined;
  }

  /** Readers reject unknown schemas. */
  isCurrent(): Promise<boolean> {
    return Promise.resolve(true);
  }

  async nameOfOtherCase(): Promise<string | undefined> {
    const { name } = this.#options;
    const names = `${escapeIdentifier(this.#options.address.schema)}.databases`;
    const query = `select name from ${names} where lower(name) = lower(${escapeLiteral(name)}) and name <> ${escapeLiteral(name)}`;
    const [row] = await this.#transactions.ask<{ name: string }>(query);
    return row?.name;
  }

  /** The server itself reports write failures. */
  requireSound(): Promise<void> {
    return Promise.resolve();
  }

  write<T>(body: (tx: Tx) => Promise<T>): Promise<T> {
    const run = this.#writes.add(body);
    return this.#writeLock.runExclusive(() => run((together) => this.#writeAlone(together)));
  }

  async #writeAlone<T>(body: (tx: Tx) => Promise<T>): Promise<T> {
    const beginning = { ...beginWrite(this.#options.pool), lock: "for update" };
    const done = await this.#transactions.whereCurrent(beginning, body, (lease) =>
      this.#transactions.commit(lease),
    );
    if (done !== undefined) return done.result;
    return this.#transactions.lease(async (lease) => {
      await this.#tables.beginWrite(lease.client);
      const result = await body(lease.tx);
      await this.#transactions.commit(lease);
      this.#transactions.noteCurrent();
      return result;
    });
  }

  /** Concurrent writes of the same row: the later one waits and sees the earlier one's result. */
  async writeDerived<T>(body: (tx: Tx) => Promise<T>): Promise<T> {
    const done = await this.#transactions.whereCurrent(
      beginWrite(this.#options.pool),
      body,
      (lease) => this.#transactions.commit(lease),
    );
    if (done !== undefined) return done.result;
    await this.#transactions.requireCurrent();
    return this.writeDerived(body);
  }

  /**
   * Uses only advisory locks and no snapshot, on a dedicated connection. A hung process loses them.
   */
  async claim<Rows, T>(
    choose: (tx: Tx) => Promise<Rows>,
    work: (rows: Rows) => Promise<T>,
  ): Promise<T> {
    await this.#transactions.requireCurrent();
    return this.#transactions.lease(async ({ client, tx }) => {
      const entered = await this.#transactions.begin(client, beginClaim(this.#options.pool));
      if (entered === undefined) throw this.#transactions.missing();
      const result = await work(await choose(tx));
      // Completed work counts even if the claim was lost.
      await client.query("rollback").catch(() => undefined);
      return result;
    }, this.#options.claims);
  }

  async refine(statements: readonly string[]): Promise<void> {
    if (statements.length === 0) return;
    const found = await this.#transactions.find();
    if (found === undefined) throw this.#transactions.missing();
    const schema = escapeLiteral(schemaName(this.#options.address.schema, found.number));
    const key = `hashtext('cairn refine ' || ${schema})`;
    // A transaction-level lock, since a pooler would lose a session lock.
    await this.#transactions.lease(async ({ client }) => {
      await client.query("begin; set local idle_in_transaction_session_timeout = 0");
      const { rows } = await client.query<{ mine: boolean }>(
        `select pg_try_advisory_xact_lock(${key}) as mine`,
      );
      if (rows[0]?.mine === true) {
        await this.#transactions.outside(async (worker) => {
          for (const statement of statements) await worker.query(statement);
        });
      }
      await client.query("rollback");
    }, this.#options.claims);
  }

  async read<T>(body: (tx: Tx) => Promise<T>): Promise<T> {
    const begin = `${BEGIN_READ} ${statementLimit(this.#options.pool)}`;
    const done = await this.#transactions.whereCurrent({ begin, after: "" }, body, endRead);
    if (done !== undefined) return done.result;
    await this.#transactions.requireCurrent();
    return this.read(body);
  }

  fill<T>(body: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#writeLock.runExclusive(() =>
      this.#writeAlone(async (tx) => {
        await tx.run(sql.raw(DISABLE_STATEMENT_TIMEOUT));
        return body(tx);
      }),
    );
  }

  abandonedDrafts(): readonly string[] {
    return [];
  }

  removeAbandonedDrafts(): void {
    // The server cleans up after the transaction.
  }

  erase(): Promise<void> {
    return this.#transactions.outside(vacuumTables);
  }

  async rewrite(): Promise<void> {
    if (this.#options.pool.isPooled) throw invalidInput(POOLER_ERROR);
    await this.#writeLock.runExclusive(() => this.#transactions.outside(rewriteTables));
  }

  findOtherCopies(tx: Tx): Promise<string[]> {
    return listStoredByServer(tx);
  }

  findBytes(text: string): Promise<TextOccurrence[]> {
    return this.read((tx) => findInTables(tx, text));
  }

  rest(): void {
    // Connections belong to the store, which closes idle ones.
  }

  async close(): Promise<void> {
    this.#transactions.close();
    await this.#writeLock.waitForUnlock();
  }

  /** Uses a separate connection. Throws connection errors. */
  async status(): Promise<DatabaseStatus> {
    const { ask, address, name, migrations } = this.#options;
    const [server] = await ask<{ reads: boolean }>(
      "select current_setting('transaction_read_only') = 'on' as reads",
    );
    const [found] = await ask<EnteredDatabase>(enterDatabase(address.schema, name));
    const message = found === undefined ? undefined : migrations.refusal(found);
    if (found !== undefined && message !== undefined) {
      return { state: migrations.isBeyond(found) ? "newer" : "older", message };
    }
    return server?.reads === true ? READ_ONLY_STATUS : OK_STATUS;
  }

  migrate(options: MigrateOptions): Promise<MigratedDatabase> {
    return this.#writeLock.runExclusive(() =>
      this.#transactions.lease(({ client }) => this.#tables.migrate(client, options)),
    );
  }
}
