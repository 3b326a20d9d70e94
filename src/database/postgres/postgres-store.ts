import type { ClientBase } from "pg";
import { invalidInput, notFound, stateConflict } from "../../shared/errors.ts";
import type {
  BackendState,
  BinnedDatabase,
  Database,
  DatabaseBackend,
  DatabaseOptions,
  MigratedDatabase,
  MigrateOptions,
  StoredDatabase,
  StoredTokens,
} from "../database.ts";
import type { StoredRecords } from "../record-store.ts";
import type { PostgresOptions } from "../settings.ts";
import { ConnectionPool, withLimit } from "./connection-pool.ts";
import { createNames, escapeIdentifier, escapeLiteral, schemaName } from "./database-names.ts";
import { MISSING_SCHEMA_CODES } from "./enter-database.ts";
import { copySchema, Migrations } from "./migrations.ts";
import type { PostgresAddress } from "./postgres-address.ts";
import { PostgresDatabase } from "./postgres-database.ts";
import { findPostgresCode, translatePostgresError } from "./postgres-error.ts";
import { PostgresRecords } from "./postgres-records.ts";
import { PostgresTokens } from "./postgres-tokens.ts";

/** Timeout of short queries made with each request. */
const SHORT_TIMEOUT_MS = 2_000;

/** Maximum concurrent claims; models usually process one at a time. */
const MAX_CONCURRENT_CLAIMS = 2;

export interface PostgresBackendOptions {
  readonly address: PostgresAddress;
  readonly settings: PostgresOptions;
  readonly isName: (name: string) => boolean;
  readonly migrations?: Migrations | undefined;
}

export class PostgresBackend implements DatabaseBackend {
  readonly tokens: StoredTokens;
  readonly records: StoredRecords;
  readonly #address: PostgresAddress;
  readonly #isName: (name: string) => boolean;
  readonly #pool: ConnectionPool;
  readonly #input: Migrations | undefined;
  #released: Migrations | undefined;
  readonly #claims: ConnectionPool;
  /** Reserved connections for short queries, which never wait for the others. */
  readonly #reservedPool: ConnectionPool;

  constructor({ address, settings, isName, migrations }: PostgresBackendOptions) {
    this.#input = migrations;
    this.#address = address;
    this.#isName = isName;
    this.#pool = new ConnectionPool(address, settings);
    this.#claims = new ConnectionPool(address, { ...settings, poolSize: MAX_CONCURRENT_CLAIMS });
    this.#reservedPool = new ConnectionPool(address, {
      ...settings,
      poolSize: 1,
      connectTimeoutMs: Math.min(settings.connectTimeoutMs, SHORT_TIMEOUT_MS),
    });
    const access = {
      change: <T>(body: (client: ClientBase) => Promise<T>) => this.#change(body),
      ask: <Row extends object>(text: string) => this.#ask<Row>(text),
    };
    this.tokens = new PostgresTokens(address.schema, access);
    this.records = new PostgresRecords(address.schema, {
      ...access,
      change: (body) => this.#changeRecords(body),
    });
  }

  open(name: string, options: DatabaseOptions = {}): Database {
    return this.#open(name, options);
  }

  #open(name: string, options: DatabaseOptions = {}): PostgresDatabase {
    return new PostgresDatabase({
      ...options,
      pool: this.#pool,
      claims: this.#claims,
      migrations: this.#migrations,
      ask: (text) => this.#ask(text),
      address: this.#address,
      name,
    });
  }

  async list(): Promise<StoredDatabase[]> {
    const schema = this.#address.schema;
    return this.#look(async (client) =>
      describeDatabases(client, schema, await this.#allNamed(client)),
    );
  }

  async create(name: string): Promise<void> {
    await this.#change(async (client) => this.#requireFree(client, name));
    const database = this.open(name);
    await database.write(() => Promise.resolve());
    await database.close();
  }

  rename(name: string, to: string): Promise<void> {
    return this.#change(async (client) => {
      const { number } = await this.#take(client, name);
      await this.#requireFree(client, to, name);
      await client.query(
        `update ${this.#names} set name = ${escapeLiteral(to)} where number = ${number}`,
      );
    });
  }

  copy(name: string, to: string): Promise<void> {
    return this.#change(async (client) => {
      const { number } = await this.#take(client, name);
      await this.#requireFree(client, to);
      const { rows } = await client.query<{ number: number; version: number }>(
        `insert into ${this.#names}(number, name, version, needs) select (select max(number) + 1 from ${this.#names}), ${escapeLiteral(to)}, version, needs from ${this.#names} where number = ${number} returning number, version`,
      );
      const { number: created = 1, version = 0 } = rows[0] ?? {};
      const { newest } = this.#migrations;
      // This version can use but not create tables of a newer schema.
      if (version > newest) this.#migrations.require({ version, needs: version });
      const { schema } = this.#address;
      await copySchema(client, {
        from: schemaName(schema, number),
        to: schemaName(schema, created),
        scripts: this.#migrations.between(0, version),
      });
    });
  }

  async backup(name: string, path: string): Promise<void> {
    await this.#change((client) => this.#take(client, name));
    throw invalidInput(
      `${path} would be a SQLite file, but "${name}" is on a server: export it with \`cairn export\`, or back the server up with \`pg_dump\`.`,
    );
  }

  remove(name: string, now: Date): Promise<BinnedDatabase> {
    return this.#change(async (client) => {
      const { number } = await this.#take(client, name);
      const deleted_at = now.toISOString();
      const id = `${name}-${deleted_at.replace(/[-:.]/g, "")}`;
      await client.query(
        `update ${this.#names} set name = null, binned_as = ${escapeLiteral(id)}, deleted_at = ${escapeLiteral(deleted_at)} where number = ${number}`,
      );
      return { id, name, deleted_at };
    });
  }

  listBin(): Promise<BinnedDatabase[]> {
    return this.#look(async (client) => {
      const { rows } = await client.query<{ id: string; deleted_at: string }>(
        `select binned_as as id, deleted_at from ${this.#names} where binned_as is not null order by binned_as`,
      );
      return rows.map(({ id, deleted_at }) => ({ id, name: requireName(id), deleted_at }));
    });
  }

  restore(id: string, to: string | undefined): Promise<string> {
    return this.#change(async (client) => {
      const { rows } = await client.query<{ number: number }>(
        `select number from ${this.#names} where binned_as = ${escapeLiteral(id)} for update`,
      );
      const [binned] = rows;
      if (binned === undefined) throw notFound(`The bin does not contain "${id}".`);
      const name = to ?? requireName(id);
      await this.#requireFree(client, name);
      await client.query(
        `update ${this.#names} set name = ${escapeLiteral(name)}, binned_as = null, deleted_at = null where number = ${binned.number}`,
      );
      return name;
    });
  }

  async close(): Promise<void> {
    const pools = [this.#pool, this.#claims, this.#reservedPool];
    await Promise.all(pools.map((one) => one.close()));
  }

  async migrate(options: MigrateOptions): Promise<MigratedDatabase[]> {
    const stored = await this.#look((client) => this.#allNamed(client));
    const migrated: MigratedDatabase[] = [];
    for (const { name } of stored) {
      const database = this.#open(name);
      migrated.push(await database.migrate(options));
      await database.close();
    }
    return migrated;
  }

  async state(): Promise<BackendState> {
    return { pool: await this.#pool.state() };
  }

  get #migrations(): Migrations {
    this.#released ??= this.#input ?? Migrations.released();
    return this.#released;
  }

  async #allNamed(client: ClientBase): Promise<NamedSchema[]> {
    const { rows } = await client.query<NamedSchema>(
      `select number, name from ${this.#names} where name is not null order by name`,
    );
    return rows;
  }

  get #names(): string {
    return `${escapeIdentifier(this.#address.schema)}.databases`;
  }

  async #ask<Row extends object>(text: string): Promise<Row[]> {
    return (await this.#askIfThere<Row>(text)) ?? [];
  }

  async #askIfThere<Row extends object>(text: string): Promise<Row[] | undefined> {
    try {
      const result = withLimit(text, SHORT_TIMEOUT_MS);
      return (await this.#reservedPool.use(({ client }) => client.query<Row>(result))).rows;
    } catch (error) {
      if (MISSING_SCHEMA_CODES.includes(findPostgresCode(error))) return undefined;
      throw translatePostgresError(error);
    }
  }

  #look<Row>(body: (client: ClientBase) => Promise<Row[]>): Promise<Row[]> {
    return this.#inTransaction(async (client) => {
      const found = await client.query<{ is_there: boolean }>(
        `select to_regclass(${escapeLiteral(this.#names)}) is not null as is_there`,
      );
      return found.rows[0]?.is_there === true ? body(client) : [];
    });
  }

  #change<T>(body: (client: ClientBase) => Promise<T>): Promise<T> {
    return this.#inTransaction(async (client) => {
      await client.query(
        `select pg_advisory_xact_lock(hashtext(${escapeLiteral(`cairn:${this.#address.schema}`)}))`,
      );
      await client.query(createNames(this.#address.schema));
      return body(client);
    });
  }

  async #changeRecords<T>(body: (client: ClientBase) => Promise<T>): Promise<T> {
    const { schema } = this.#address;
    const table = escapeLiteral(`${escapeIdentifier(schema)}.records`);
    const lock = escapeLiteral(`cairn:${schema}:records`);
    const change = () =>
      this.#inTransaction(async (client) => {
        const found = await client.query<{ is_there: boolean }>(
          `select pg_advisory_xact_lock(hashtext(${lock})), to_regclass(${table}) is not null as is_there`,
        );
        return found.rows[0]?.is_there === true ? { result: await body(client) } : undefined;
      });
    const changed = await change();
    if (changed !== undefined) return changed.result;
    await this.#change(() => Promise.resolve());
    const then = await change();
    if (then === undefined) throw new Error("The table of records was removed.");
    return then.result;
  }

  async #inTransaction<T>(body: (client: ClientBase) => Promise<T>): Promise<T> {
    try {
      return await this.#pool.use(({ client }) => inTransaction(client, () => body(client)));
    } catch (error) {
      throw translatePostgresError(error);
    }
  }

  async #take(client: ClientBase, name: string): Promise<NamedSchema> {
    this.#requireName(name);
    const { rows } = await client.query<NamedSchema>(
      `select number, name from ${this.#names} where name = ${escapeLiteral(name)} for update`,
    );
    const [found] = rows;
    if (found !== undefined) return found;
    throw notFound(`There is no database "${name}". \`cairn db list\` names those that exist.`);
  }

  async #requireFree(client: ClientBase, name: string, except?: string): Promise<void> {
    this.#requireName(name);
    const { rows } = await client.query<NamedSchema>(
      `select number, name from ${this.#names} where lower(name) = lower(${escapeLiteral(name)})`,
    );
    const there = rows.find((row) => row.name !== except);
    if (there === undefined) return;
    throw stateConflict(`There is a database "${there.name}" already; choose another name.`);
  }

  #requireName(name: string): void {
    if (this.#isName(name)) return;
    throw invalidInput(
      `"${name.slice(0, 80)}" is not a valid database name: use 1 to 64 letters, digits, dots, underscores or hyphens, a letter or digit first`,
    );
  }
}

async function inTransaction<T>(client: ClientBase, body: () => Promise<T>): Promise<T> {
  await client.query("begin; set local lock_timeout = '15s'");
  try {
    const result = await body();
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback").catch(() => undefined);
    throw error;
  }
}

/** Extracts a binned database's former name: `shop-20260331T101530123Z` was `shop`. */
function requireName(id: string): string {
  return id.replace(/-\d{8}T\d{9}Z$/, "");
}

interface NamedSchema {
  readonly number: number;
  readonly name: string;
}

interface SchemaSize {
  readonly schema: string;
  readonly size: string;
  readonly has_changes: boolean;
}

export async function describeDatabases(
  client: ClientBase,
  path: string,
  databases: readonly NamedSchema[],
): Promise<StoredDatabase[]> {
  if (databases.length === 0) return [];
  const schemas = databases.map(({ number }) => schemaName(path, number));
  const { rows } = await client.query<SchemaSize>(
    `select nspname as schema, sum(pg_total_relation_size(pg_class.oid)) as size,
        bool_or(relname = 'changes') as has_changes
      from pg_catalog.pg_class join pg_catalog.pg_namespace on pg_namespace.oid = relnamespace
      where nspname in (${schemas.map(escapeLiteral).join(", ")}) and relkind = 'r' group by nspname`,
  );
  const sizes = new Map(rows.map((row) => [row.schema, Number(row.size)]));
  const modified = await loadLastChanges(
    client,
    rows.filter((row) => row.has_changes).map(({ schema }) => schema),
  );
  return databases.map(({ number, name }) => {
    const schema = schemaName(path, number);
    return { name, size: sizes.get(schema) ?? 0, modified_at: modified.get(schema) ?? "" };
  });
}

async function loadLastChanges(
  client: ClientBase,
  schemas: readonly string[],
): Promise<Map<string, string>> {
  if (schemas.length === 0) return new Map();
  const each = schemas.map((schema) => {
    const newest = `select ts from ${escapeIdentifier(schema)}.changes order by id desc limit 1`;
    return `select ${escapeLiteral(schema)} as schema, (${newest}) as ts`;
  });
  const { rows } = await client.query<{ schema: string; ts: string | null }>(
    each.join(" union all "),
  );
  return new Map(rows.map(({ schema, ts }) => [schema, ts ?? ""]));
}
