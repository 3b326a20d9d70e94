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
    );`;
}

export function schemaOf(schema: string, number: number): string {
  return `${schema}_${number}`;
}

/**
 * Finds the database of this name and makes its schema the one in which the transaction looks for
 * tables, with that of pgvector behind it. No row: there is none.
 */
export function enterDatabase(schema: string, name: string): string {
  return `select number, version, ${enterSchema(`${escapeLiteral(`${schema}_`)} || number`)}
    from ${escapeIdentifier(schema)}.databases where name = ${escapeLiteral(name)}`;
}

/** The same for one of this version; fails with "undefined object" where there is no such. */
export function enterCurrent(
  schema: string,
  {
    name,
    version,
    lock,
  }: { readonly name: string; readonly version: number; readonly lock: string },
): string {
  const prefix = escapeLiteral(`${schema}_`);
  const found = `${prefix} || (select number from found)`;
  return `with found as materialized (
      select number from ${escapeIdentifier(schema)}.databases
      where name = ${escapeLiteral(name)} and version = ${version} ${lock}
    ) select ${enterSchema(`coalesce(${found}, current_setting('cairn.no_such_database'))`)}, (select number from found) as number, ${version} as version`;
}

/** `schema` is an expression. For one transaction, or until the connection enters another one. */
export function enterSchema(
  schema: string,
  during: "transaction" | "session" = "transaction",
): string {
  return `set_config('search_path', concat_ws(', ', quote_ident(${schema}), (
      select quote_ident(nspname) from pg_catalog.pg_extension
      join pg_catalog.pg_namespace on pg_namespace.oid = extnamespace where extname = 'vector'
    )), ${during === "transaction"})`;
}
