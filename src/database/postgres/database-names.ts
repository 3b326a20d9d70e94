import type { ClientBase } from "pg";

/**
 * Creates the table of database names in a separate schema. Each database is a schema named by a
 * number, because names exceed PostgreSQL's limit and can change. A writer locks the row of the name.
 */
export function createNames(schema: string): string {
  const schemaName = escapeIdentifier(schema);
  return `
    create schema if not exists ${schemaName};
    create table if not exists ${schemaName}.databases (
      number integer primary key,
      name text collate "C" unique,
      version integer not null,
      needs integer,
      binned_as text collate "C" unique,
      deleted_at text
    );
    create table if not exists ${schemaName}.tokens (
      name text collate "C" primary key,
      kept text not null
    );
    create table if not exists ${schemaName}.doors (
      name text collate "C" primary key,
      seen_at timestamptz not null
    );
    create table if not exists ${schemaName}.records (
      kind text collate "C",
      id text collate "C",
      kept text not null,
      primary key (kind, id)
    );
    ${addNeedsColumn(schema)}`;
}

/**
 * Adds a column that older tables lack. Readers queue behind this lock, hence its short timeout.
 */
export function addNeedsColumn(schema: string): string {
  const table = `${escapeIdentifier(schema)}.databases`;
  return `do $$ declare previous text := current_setting('lock_timeout'); begin
      if not exists (select from pg_catalog.pg_attribute
          where attrelid = ${escapeLiteral(table)}::regclass and attname = 'needs') then
        perform set_config('lock_timeout', '3s', true);
        alter table ${table} add column needs integer;
        perform set_config('lock_timeout', previous, true);
      end if;
    end $$;`;
}

/**
 * Minimum schema version that a server must support. Older tables lack this column, which requires
 * the full version.
 */
const NEEDS_COLUMN = "coalesce((to_jsonb(databases.*) ->> 'needs')::integer, version) as needs";

export function schemaName(schema: string, number: number): string {
  return `${schema}_${number}`;
}

/**
 * Finds a database by name and sets the transaction's search path to its schema and pgvector's.
 * Returns no row if it is missing.
 */
export function enterDatabase(schema: string, name: string): string {
  return `select number, version, ${NEEDS_COLUMN}, ${enterSchema(`${escapeLiteral(`${schema}_`)} || number`)}
    from ${escapeIdentifier(schema)}.databases where name = ${escapeLiteral(name)}`;
}

/** Range of schemas that this version supports, including newer compatible ones. */
interface SupportedSchemas {
  readonly oldest: number;
  readonly newest: number;
}

export function enterCurrentSchema(
  schema: string,
  {
    name,
    served,
    lock,
  }: { readonly name: string; readonly served: SupportedSchemas; readonly lock: string },
): string {
  const prefix = escapeLiteral(`${schema}_`);
  const found = `${prefix} || (select number from found)`;
  return `with found as materialized (
      select number, version, needs from (
        select number, version, ${NEEDS_COLUMN} from ${escapeIdentifier(schema)}.databases
        where name = ${escapeLiteral(name)} and version >= ${served.oldest} ${lock}
      ) named where version <= ${served.newest} or needs <= ${served.newest}
    ) select ${enterSchema(`coalesce(${found}, current_setting('cairn.no_such_database'))`)}, (select number from found) as number,
      (select version from found) as version, (select needs from found) as needs`;
}

export function enterSchema(schema: string): string {
  return `set_config('search_path', concat_ws(', ', quote_ident(${schema}), (
      select quote_ident(nspname) from pg_catalog.pg_extension
      join pg_catalog.pg_namespace on pg_namespace.oid = extnamespace where extname = 'vector'
    )), true)`;
}

export function escapeIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Quotes a text literal. Backslashes are literal, PostgreSQL's default. */
export function escapeLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Frees the space of deleted rows in a schema. Blocks nothing and waits only for other vacuums. */
export async function vacuumTables(client: ClientBase, schema: string): Promise<void> {
  const tables = await listTables(client, schema);
  if (tables.length === 0) return;
  // Truncating a file would lock out all others.
  await client.query(`vacuum (index_cleanup on, truncate off) ${tables.join(", ")}`);
}

/**
 * Rewrites every table of a schema, so that its files contain no deleted data. Locks each table
 * meanwhile. Throws PostgreSQL's error if a table stays in use.
 */
export async function rewriteTables(client: ClientBase, schema: string): Promise<void> {
  const tables = await listTables(client, schema);
  for (const table of tables) await client.query(`vacuum full ${table}`);
}

async function listTables(client: ClientBase, schema: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select tablename as name from pg_catalog.pg_tables where schemaname = ${escapeLiteral(schema)} order by 1`,
  );
  return rows.map(({ name }) => `${escapeIdentifier(schema)}.${escapeIdentifier(name)}`);
}
