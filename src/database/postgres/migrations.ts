import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ClientBase } from "pg";
import { CairnError, stateConflict } from "../../shared/errors.ts";
import { packageRoot } from "../../shared/package.ts";
import { UNLOGGED_TABLES } from "../negation.ts";
import { enterSchema, escapeIdentifier, escapeLiteral } from "./database-names.ts";

/** PostgreSQL-only tables: search index and highest used numbers. */
const UNLOGGED_TABLE = /^(used_numbers|indexed_|text_|vector_)/;

export interface LoggedRows {
  readonly name: string;
  readonly columns: readonly string[];
  readonly key: readonly string[];
}

/**
 * Installs triggers that log each written row, with the row images of SQLite's triggers. Runs after
 * each migration to include new columns.
 */
async function installRowTriggers(client: ClientBase): Promise<void> {
  const { rows } = await client.query<LoggedRows>(LOGGED_TABLES_QUERY);
  const statements = filterLogged(rows).flatMap((table) => [
    triggerFunction(table),
    `drop trigger if exists row_log on ${escapeIdentifier(table.name)}`,
    rowTrigger(table),
  ]);
  await client.query(statements.join(";\n"));
}

export function rowTrigger(table: LoggedRows): string {
  return `create trigger row_log after insert or update or delete on ${escapeIdentifier(table.name)} for each row execute function ${functionName(table)}()`;
}

export function filterLogged(tables: readonly LoggedRows[]): LoggedRows[] {
  return tables.filter(({ name }) => !UNLOGGED_TABLES.includes(name) && !UNLOGGED_TABLE.test(name));
}

/** Selects every table with its columns and primary key columns in order. */
export const LOGGED_TABLES_QUERY = `
    select relname as name,
      (select json_agg(attname order by attnum) from pg_catalog.pg_attribute
        where attrelid = pg_class.oid and attnum > 0 and not attisdropped) as columns,
      (select json_agg(attname order by place) from unnest(conkey) with ordinality as part(number, place)
        join pg_catalog.pg_attribute on attrelid = pg_class.oid and attnum = part.number) as key
    from pg_catalog.pg_class join pg_catalog.pg_constraint on conrelid = pg_class.oid and contype = 'p'
    where relkind = 'r' and relnamespace = current_schema()::regnamespace order by relname`;

function functionName({ name }: LoggedRows): string {
  return escapeIdentifier(`row_log_${name}`);
}

function triggerFunction(table: LoggedRows): string {
  const insert = createEntrySql(table, "insert", { row: "new", before: "null", after: "null" });
  const before = changedColumns(table, "old");
  const after = changedColumns(table, "new");
  const update = createEntrySql(table, "update", { row: "old", before, after });
  const remove = createEntrySql(table, "delete", {
    row: "old",
    before: wholeRow(table),
    after: "null",
  });
  return `create or replace function ${functionName(table)}() returns trigger language plpgsql as $trigger$
    declare change bigint := (select max(id) from changes);
    begin
      if change is null then return null; end if;
      if tg_op = 'INSERT' then ${insert}
      elsif tg_op = 'DELETE' then ${remove}
      elsif old is distinct from new then ${update}
      end if;
      return null;
    end $trigger$`;
}

function createEntrySql(
  table: LoggedRows,
  action: string,
  { row, before, after }: { row: string; before: string; after: string },
): string {
  const key = table.key.map((name) => image(row, name)).join(", ");
  return `insert into row_changes(seq, change_id, table_name, row_key, action, before, after)
    select coalesce(max(seq), 0) + 1, change, ${escapeLiteral(table.name)}, '[' || concat_ws(',', ${key}) || ']', '${action}', ${before}, ${after} from row_changes;`;
}

function wholeRow({ columns }: LoggedRows): string {
  return jsonObject(columns.map((name) => named(name, image("old", name))));
}

function changedColumns({ columns }: LoggedRows, row: string): string {
  const parts = columns.map((name) => {
    const column = escapeIdentifier(name);
    return `case when old.${column} is distinct from new.${column} then ${named(name, image(row, name))} end`;
  });
  return jsonObject(parts);
}

function named(name: string, value: string): string {
  return `${escapeLiteral(`"${name}":`)} || ${value}`;
}

function jsonObject(parts: readonly string[]): string {
  return `'{' || concat_ws(',', ${parts.join(", ")}) || '}'`;
}

function image(row: string, name: string): string {
  return `image_of(${row}.${escapeIdentifier(name)})`;
}

export interface Migration {
  readonly name: string;
  /**
   * Effect on servers of an older version. `expand`: they continue. `contract`: they stop, and new
   * servers do not need it, so it runs only on request. `together`: they stop, and new servers need
   * it.
   */
  readonly kind: "expand" | "contract" | "together";
  readonly sql: () => string;
}

/** Number of applied scripts, and the number that a server must support. */
export interface SchemaVersion {
  readonly version: number;
  readonly needs: number;
}

const MIGRATIONS_FOLDER = join("drizzle", "postgres");

/** Schema of version 0.1, from 21 scripts. Later schema numbers continue from there. */
const BASE_VERSION = 21;

export class Migrations {
  readonly all: readonly Migration[];
  readonly newest: number;
  readonly oldest: number;

  constructor(all: readonly Migration[]) {
    this.all = all;
    this.newest = BASE_VERSION + all.length;
    // The first script only creates tables that BASE also has.
    const last = all.findLastIndex(({ kind }) => kind !== "contract");
    this.oldest = last <= 0 ? BASE_VERSION : BASE_VERSION + last + 1;
  }

  static released(): Migrations {
    const text = readFileSync(join(packageRoot(), MIGRATIONS_FOLDER, "scripts.json"), "utf8");
    return new Migrations((JSON.parse(text) as ListedScript[]).map(createMigration));
  }

  /** Returns the scripts between two schemas; 0 is an empty database. */
  between(from: number, to: number): readonly Migration[] {
    if (from === 0) return this.all.slice(0, to - BASE_VERSION);
    if (from > BASE_VERSION) return this.all.slice(from - BASE_VERSION, to - BASE_VERSION);
    return to > BASE_VERSION ? [UPGRADE_MIGRATION, ...this.all.slice(1, to - BASE_VERSION)] : [];
  }

  /** Returns the schema version that servers must support at this version. */
  needsOf(version: number): number {
    return (
      BASE_VERSION + this.between(0, version).findLastIndex(({ kind }) => kind !== "expand") + 1
    );
  }

  /** Returns the version reachable by scripts of only these kinds. */
  reach(from: number, kinds: readonly Migration["kind"][]): number {
    const stop = this.all.findIndex(
      ({ kind }, index) =>
        BASE_VERSION + index >= from &&
        !kinds.includes(index === 0 ? UPGRADE_MIGRATION.kind : kind),
    );
    return stop === -1 ? Math.max(from, this.newest) : BASE_VERSION + stop;
  }

  serves({ version, needs }: SchemaVersion): boolean {
    return version >= this.oldest && !this.isBeyond({ version, needs });
  }

  isBeyond({ version, needs }: SchemaVersion): boolean {
    return version > this.newest && needs > this.newest;
  }

  /** Throws conflict for an unsupported schema. */
  require(found: SchemaVersion): void {
    const reason = this.refusal(found);
    if (reason !== undefined) throw stateConflict(reason);
  }

  refusal({ version, needs }: SchemaVersion): string | undefined {
    if (this.serves({ version, needs })) return undefined;
    if (this.isBeyond({ version, needs })) {
      return `The database was written by a newer cairn (schema ${version}, this version supports ${this.newest}). Update cairn.`;
    }
    if (version < BASE_VERSION) {
      return `The database was written by a version before 0.1 (schema ${version}). Export it with that version, and import the file.`;
    }
    return `The database has schema ${version}, but this version of cairn requires ${this.oldest} or newer. Run \`cairn db migrate\`; \`--dry-run\` lists the migrations first.`;
  }
}

/** A bare name is a script that every server must know. */
export type ListedScript = string | { readonly name: string; readonly kind: Migration["kind"] };

function createMigration(listed: ListedScript): Migration {
  const { name, kind } =
    typeof listed === "string" ? { name: listed, kind: "together" as const } : listed;
  return {
    name,
    kind,
    sql: () => readFileSync(join(packageRoot(), MIGRATIONS_FOLDER, `${name}.sql`), "utf8"),
  };
}

/** Drops tables that 0.1 servers need, so it runs only on request. */
const UPGRADE_MIGRATION = createMigration({ name: "upgrade-0.1", kind: "contract" });

/** Runs scripts in the transaction's schema. The caller holds the writer lock. */
export async function migratePostgres(
  client: ClientBase,
  scripts: readonly Migration[],
): Promise<void> {
  await requireServerVersion(client);
  for (const { sql } of scripts) await client.query(sql());
  await installRowTriggers(client);
}

/** The schema uses `IS JSON` of PostgreSQL 16. */
const OLDEST_SERVER = 16;

async function requireServerVersion(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ version: string; number: number }>(
    "select current_setting('server_version') as version, current_setting('server_version_num')::int as number",
  );
  const server = rows[0];
  if (server === undefined || server.number >= OLDEST_SERVER * 10_000) return;
  throw new CairnError(
    "unavailable",
    `cairn needs PostgreSQL ${OLDEST_SERVER} or newer (the server is ${server.version}). Upgrade the server, or set the setting database to a newer one.`,
  );
}

interface CopiedSchema {
  readonly from: string;
  readonly to: string;
  readonly scripts: readonly Migration[];
}

/** Copies an idle schema. Copies `changes` last: while it is empty, triggers log nothing. */
export async function copySchema(
  client: ClientBase,
  { from, to, scripts }: CopiedSchema,
): Promise<void> {
  await client.query(
    `create schema ${escapeIdentifier(to)}; select ${enterSchema(escapeLiteral(to))}`,
  );
  await migratePostgres(client, scripts);
  await client.query("set constraints all deferred");
  const { rows } = await client.query<{ name: string }>(
    `select tablename as name from pg_catalog.pg_tables where schemaname = ${escapeLiteral(from)} order by tablename = 'changes', tablename`,
  );
  for (const { name } of rows) {
    const table = escapeIdentifier(name);
    await createIfMissing(client, { name, from, to });
    await client.query(
      `insert into ${escapeIdentifier(to)}.${table} select * from ${escapeIdentifier(from)}.${table}`,
    );
  }
}

/** The first vector creates these tables. Their graphs are built when vectors are next counted. */
async function createIfMissing(
  client: ClientBase,
  { name, from, to }: { readonly name: string; readonly from: string; readonly to: string },
): Promise<void> {
  const source = `${escapeIdentifier(from)}.${escapeIdentifier(name)}`;
  const target = `${escapeIdentifier(to)}.${escapeIdentifier(name)}`;
  const { rows } = await client.query<{ key: string | null }>(
    `select (select pg_get_constraintdef(oid) from pg_catalog.pg_constraint
        where conrelid = ${escapeLiteral(source)}::regclass and contype = 'p') as key
      where to_regclass(${escapeLiteral(target)}) is null`,
  );
  const [missing] = rows;
  if (missing === undefined) return;
  const key = missing.key === null ? "" : `, ${missing.key}`;
  await client.query(`create table ${target} (like ${source}${key})`);
}
