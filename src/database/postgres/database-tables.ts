import type { ClientBase } from "pg";
import type { MigratedDatabase, MigrateOptions } from "../database.ts";
import {
  addNeedsColumn,
  createNames,
  enterDatabase,
  enterSchema,
  escapeIdentifier,
  escapeLiteral,
  schemaName,
} from "./database-names.ts";
import {
  BEGIN_READ,
  beginWrite,
  DISABLE_STATEMENT_TIMEOUT,
  type EnteredDatabase,
  statementLimit,
} from "./enter-database.ts";
import { migratePostgres } from "./migrations.ts";
import type { PostgresDatabaseOptions, PostgresTransactions } from "./postgres-transactions.ts";

export class DatabaseTables {
  readonly #options: PostgresDatabaseOptions;
  readonly #transactions: PostgresTransactions;

  constructor(options: PostgresDatabaseOptions, transactions: PostgresTransactions) {
    this.#options = options;
    this.#transactions = transactions;
  }

  /** Begins a write transaction, creating the database and migrating its schema if necessary. */
  async beginWrite(client: ClientBase): Promise<void> {
    const { migrations } = this.#options;
    const started = await this.#transactions.begin(client, {
      ...beginWrite(this.#options.pool),
      lock: "for update",
    });
    if (started !== undefined && migrations.serves(started)) return;
    if (started !== undefined && migrations.isBeyond(started)) migrations.require(started);
    const found = await this.#make(client, started === undefined ? "any" : "existing");
    const isNew = found.version === 0;
    const to = isNew ? migrations.newest : migrations.reach(found.version, ["expand", "together"]);
    if (to < migrations.oldest) migrations.require(found);
    if (to > found.version) await this.#bringTo(client, found, to);
  }

  async #bringTo(
    client: ClientBase,
    { number, version }: EnteredDatabase,
    to: number,
  ): Promise<void> {
    const { migrations } = this.#options;
    await client.query(DISABLE_STATEMENT_TIMEOUT);
    await migratePostgres(client, migrations.between(version, to));
    await client.query(
      `update ${this.#names} set version = ${to}, needs = ${migrations.needsOf(to)} where number = ${number}; ${statementLimit(this.#options.pool)}`,
    );
  }

  /**
   * Runs pending scripts up to the first that is incompatible with the previous version, or all
   * with `finish`. Returns the completed or pending migration.
   */
  async migrate(client: ClientBase, { finish, dryRun }: MigrateOptions): Promise<MigratedDatabase> {
    const { migrations, name, pool } = this.#options;
    const kinds = finish ? (["expand", "contract", "together"] as const) : (["expand"] as const);
    const found = dryRun
      ? await this.#transactions.begin(client, { begin: BEGIN_READ, after: statementLimit(pool) })
      : await this.#make(client, "existing");
    if (found === undefined) throw this.#transactions.missing();
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
  }

  /**
   * Creates the database in the first write's transaction. Concurrent creators wait for its commit.
   */
  async #make(client: ClientBase, which: "existing" | "any" = "any"): Promise<EnteredDatabase> {
    const { address, name, pool } = this.#options;
    await client.query("rollback");
    const { begin, after } = beginWrite(pool);
    await client.query(
      `${begin} select pg_advisory_xact_lock(hashtext(${escapeLiteral(`cairn:${address.schema}`)})); ${which === "any" ? createNames(address.schema) : addNeedsColumn(address.schema)} ${after}`,
    );
    const query = `${enterDatabase(address.schema, name)} for update`;
    const [created] = (await client.query<EnteredDatabase>(query)).rows;
    if (created !== undefined) {
      this.#transactions.noteNumber(created.number);
      return created;
    }
    if (which === "existing") throw this.#transactions.missing();
    const { rows } = await client.query<{ number: number }>(
      `insert into ${this.#names}(number, name, version) select coalesce(max(number), 0) + 1, ${escapeLiteral(name)}, 0 from ${this.#names} returning number`,
    );
    const number = rows[0]?.number ?? 1;
    const schema = schemaName(address.schema, number);
    await client.query(
      `create schema ${escapeIdentifier(schema)}; select ${enterSchema(escapeLiteral(schema))}`,
    );
    this.#transactions.noteNumber(number);
    return { number, version: 0, needs: 0 };
  }

  get #names(): string {
    return `${escapeIdentifier(this.#options.address.schema)}.databases`;
  }
}
