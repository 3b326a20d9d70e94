import { escapeIdentifier, escapeLiteral } from "./quote.ts";

/**
 * Creates the table of database names of a place, in a schema of its own. Each database is a schema named by
 * a number, because names are longer than PostgreSQL allows and can change. A writer locks the row of the
 * name.
 */
export function createNames(schema: string): string {
  const place = escapeIdentifier(schema);
  return `
    create schema if not exists ${place};
    create table if not exists ${place}.databases (
      number integer primary key,
      name text collate "C" unique,
      version integer not null,
      needs integer,
      binned_as text collate "C" unique,
      deleted_at text
    );
    create table if not exists ${place}.tokens (
      name text collate "C" primary key,
      kept text not null
    );
    create table if not exists ${place}.doors (
      name text collate "C" primary key,
      seen_at timestamptz not null
    );
    create table if not exists ${place}.records (
      kind text collate "C",
      id text collate "C",
      kept text not null,
      primary key (kind, id)
    );
    create table if not exists ${place}.counts (
      key text collate "C" primary key,
      period bigint not null,
      count bigint not null
    );
    ${addNeeds(schema)}`;
}

/**
 * Adds a column that tables made by an older version lack. Readers queue behind this lock, so it is waited
 * for only briefly.
 */
export function addNeeds(schema: string): string {
  const table = `${escapeIdentifier(schema)}.databases`;
  return `do $$ declare patience text := current_setting('lock_timeout'); begin
      if not exists (select from pg_catalog.pg_attribute
          where attrelid = ${escapeLiteral(table)}::regclass and attname = 'needs') then
        perform set_config('lock_timeout', '3s', true);
        alter table ${table} add column needs integer;
        perform set_config('lock_timeout', patience, true);
      end if;
    end $$;`;
}

/**
 * Number of scripts a server must know. Tables of an older version have no such column; then a
 * server must
 * know all of them.
 */
const NEEDS = "coalesce((to_jsonb(databases.*) ->> 'needs')::integer, version) as needs";

export function schemaOf(schema: string, number: number): string {
  return `${schema}_${number}`;
}

/**
 * Finds the database of this name and puts its schema first in the transaction's search path, with pgvector's
 * behind it. Returns no row if there is none.
 */
export function enterDatabase(schema: string, name: string): string {
  return `select number, version, ${NEEDS}, ${enterSchema(`${escapeLiteral(`${schema}_`)} || number`)}
    from ${escapeIdentifier(schema)}.databases where name = ${escapeLiteral(name)}`;
}

/**
 * Schemas that this version of cairn reads and writes, including newer ones that require no newer version.
 */
interface Served {
  readonly oldest: number;
  readonly newest: number;
}

/**
 * Enters a database as `enterDatabase` does if its schema is served; otherwise fails with "undefined object".
 */
export function enterCurrent(
  schema: string,
  { name, served, lock }: { readonly name: string; readonly served: Served; readonly lock: string },
): string {
  const prefix = escapeLiteral(`${schema}_`);
  const found = `${prefix} || (select number from found)`;
  return `with found as materialized (
      select number, version, needs from (
        select number, version, ${NEEDS} from ${escapeIdentifier(schema)}.databases
        where name = ${escapeLiteral(name)} and version >= ${served.oldest} ${lock}
      ) named where version <= ${served.newest} or needs <= ${served.newest}
    ) select ${enterSchema(`coalesce(${found}, current_setting('cairn.no_such_database'))`)}, (select number from found) as number,
      (select version from found) as version, (select needs from found) as needs`;
}

/** Sets the search path for one transaction. `schema` is an SQL expression. */
export function enterSchema(schema: string): string {
  return `set_config('search_path', concat_ws(', ', quote_ident(${schema}), (
      select quote_ident(nspname) from pg_catalog.pg_extension
      join pg_catalog.pg_namespace on pg_namespace.oid = extnamespace where extname = 'vector'
    )), true)`;
}
