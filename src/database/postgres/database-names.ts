import { escapeIdentifier, escapeLiteral } from "./quote.ts";

/**
 * The names of the databases of a place, in a schema of their own. Each database is a schema too,
 * called by its number: names are longer than PostgreSQL's may be, and change. The row of a name is
 * what a writer locks.
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
    ${addNeeds(schema)}`;
}

/**
 * Names that an older version has made lack a column. Whoever reads waits for its lock, so that it is
 * not waited for long.
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
 * How many scripts a server has to know. Names that an older version keeps have no such column: then
 * it is all of them.
 */
const NEEDS = "coalesce((to_jsonb(databases.*) ->> 'needs')::integer, version) as needs";

export function schemaOf(schema: string, number: number): string {
  return `${schema}_${number}`;
}

/**
 * Finds the database of this name and makes its schema the one in which the transaction looks for
 * tables, with that of pgvector behind it. No row: there is none.
 */
export function enterDatabase(schema: string, name: string): string {
  return `select number, version, ${NEEDS}, ${enterSchema(`${escapeLiteral(`${schema}_`)} || number`)}
    from ${escapeIdentifier(schema)}.databases where name = ${escapeLiteral(name)}`;
}

/** Schemas that a version of cairn reads and writes; newer ones that ask for no newer version too. */
interface Served {
  readonly oldest: number;
  readonly newest: number;
}

/** The same for one of a schema that is served; fails with "undefined object" where there is no such. */
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

/** `schema` is an expression. For one transaction. */
export function enterSchema(schema: string): string {
  return `set_config('search_path', concat_ws(', ', quote_ident(${schema}), (
      select quote_ident(nspname) from pg_catalog.pg_extension
      join pg_catalog.pg_namespace on pg_namespace.oid = extnamespace where extname = 'vector'
    )), true)`;
}
