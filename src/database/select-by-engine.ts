import {
  Column,
  is,
  isSQLWrapper,
  Name,
  Param,
  Placeholder,
  SQL,
  type SQLChunk,
  StringChunk,
  Subquery,
  sql,
  Table,
  View,
} from "drizzle-orm";
import type { Tx } from "./database.ts";

class EngineSql extends SQL {
  readonly postgres: SQL;

  constructor(words: { readonly sqlite: SQL; readonly postgres: SQL }) {
    super([words.sqlite]);
    this.postgres = words.postgres;
  }
}

/** SQL with a variant per engine: reads as SQLite's until `forPostgres` replaces it. */
export function selectByEngine(words: { readonly sqlite: SQL; readonly postgres: SQL }): SQL {
  return new EngineSql(words);
}

export function forPostgres(statement: SQL): SQL {
  if (statement instanceof EngineSql) return forPostgres(statement.postgres);
  const queryChunks = statement.queryChunks.map(translateSql);
  return Object.assign(new SQL([]), statement, { queryChunks });
}

function translateSql(chunk: SQLChunk): SQLChunk {
  if (Array.isArray(chunk)) return chunk.map(translateSql);
  if (is(chunk, SQL)) return forPostgres(chunk);
  if (is(chunk, Subquery)) {
    const { sql: inner, selectedFields, alias, isWith } = chunk._;
    return isWith ? chunk : new Subquery(forPostgres(inner), selectedFields, alias);
  }
  return isQuery(chunk) ? sql`(${forPostgres(chunk.getSQL())})` : chunk;
}

const SQL_PART_CLASSES = [
  StringChunk,
  Name,
  Column,
  Table,
  View,
  Param,
  Placeholder,
  SQL.Aliased,
] as const;

function isQuery(chunk: SQLChunk): chunk is SQLChunk & { getSQL(): SQL } {
  return isSQLWrapper(chunk) && !SQL_PART_CLASSES.some((part) => is(chunk, part));
}

/** Defers foreign key checks to the end of the transaction. */
export async function deferReferences(tx: Tx): Promise<void> {
  await tx.run(
    selectByEngine({
      sqlite: sql`pragma defer_foreign_keys = on`,
      postgres: sql`set constraints all deferred`,
    }),
  );
}

/** Logs every row of a table as inserted by the newest change. */
export async function logAllRows(
  tx: Tx,
  { table, key }: { table: string; key: readonly string[] },
): Promise<void> {
  const rows = sql.identifier(table);
  const columns = key.map((name) => sql.identifier(name));
  const change = sql`(select max(id) from changes)`;
  await tx.run(
    selectByEngine({
      sqlite: sql`insert into row_changes(change_id, table_name, row_key, action) select ${change}, ${table}, json_array(${sql.join(columns, sql`, `)}), 'insert' from ${rows}`,
      postgres: sql`insert into row_changes(seq, change_id, table_name, row_key, action) select (select coalesce(max(seq), 0) from row_changes) + row_number() over (order by ${sql.join(columns, sql`, `)}), ${change}, ${table}, ${keyImage(columns)}, 'insert' from ${rows} order by ${sql.join(columns, sql`, `)}`,
    }),
  );
}

function keyImage(columns: readonly SQL[] | readonly unknown[]): SQL {
  const images = columns.map((column) => sql`image_of(${column})`);
  return sql`'[' || concat_ws(',', ${sql.join(images, sql`, `)}) || ']'`;
}

export async function recordUsedNumbers(tx: Tx, table: string): Promise<void> {
  if (tx.engine === "postgres") {
    await tx.run(
      sql`insert into used_numbers(table_name, number) select ${table}, max((row_key::json ->> 0)::bigint) from row_changes where table_name = ${table} having max(seq) is not null on conflict (table_name) do update set number = greatest(used_numbers.number, excluded.number)`,
    );
    return;
  }
  const last = sql`(select max(json_extract(row_key, '$[0]')) from row_changes where table_name = ${table})`;
  await tx.run(
    sql`insert into sqlite_sequence(name, seq) select ${table}, 0 where not exists (select 1 from sqlite_sequence where name = ${table})`,
  );
  await tx.run(
    sql`update sqlite_sequence set seq = max(seq, coalesce(${last}, 0)) where name = ${table}`,
  );
}

export interface BrokenReference {
  readonly table: string;
  /** Identifies the row within its table; ascending. */
  readonly row: number | string | null;
  readonly parent: string;
}

/** The engine's own row address. */
export const ROW_LOCATION: SQL = selectByEngine({ sqlite: sql`rowid`, postgres: sql`ctid` });

export async function findBrokenReferences(tx: Tx): Promise<BrokenReference[]> {
  if (tx.engine === "sqlite") {
    return tx.all<BrokenReference>(
      sql`select "table", rowid as "row", parent from pragma_foreign_key_check`,
    );
  }
  const broken: BrokenReference[] = [];
  for (const { table, column, parent, target } of await loadReferences(tx)) {
    const [from, to] = [sql.identifier(table), sql.identifier(parent)];
    const refers = sql`referring.${sql.identifier(column)}`;
    const rows = await tx.all<{ row: string }>(
      sql`select ctid::text as "row" from ${from} referring where ${refers} is not null and not exists (select 1 from ${to} meant where meant.${sql.identifier(target)} = ${refers}) order by ctid`,
    );
    broken.push(...rows.map(({ row }) => ({ table, row, parent })));
  }
  return broken;
}

interface Reference {
  readonly table: string;
  readonly column: string;
  readonly parent: string;
  readonly target: string;
}

function loadReferences(tx: Tx): Promise<Reference[]> | Reference[] {
  return tx.all<Reference>(sql`
    select child.relname as "table", own.attname as "column", parent.relname as parent, other.attname as target
    from pg_catalog.pg_constraint
    join pg_catalog.pg_class child on child.oid = conrelid
    join pg_catalog.pg_class parent on parent.oid = confrelid
    join pg_catalog.pg_attribute own on own.attrelid = conrelid and own.attnum = conkey[1]
    join pg_catalog.pg_attribute other on other.attrelid = confrelid and other.attnum = confkey[1]
    where contype = 'f' and connamespace = current_schema()::regnamespace order by conname`);
}

type Value = number | string | null;

/** Column types of a row list with their PostgreSQL names. */
const POSTGRES_TYPES = { number: "bigint", real: "double precision", text: "text" } as const;
export type ValueType = keyof typeof POSTGRES_TYPES;

/**
 * Passes any number of well-formed rows as one parameter, so that the statement is prepared once.
 */
export class RowList {
  readonly #rows: readonly (readonly Value[])[];
  #json: string | undefined;

  constructor(rows: readonly (readonly Value[])[]) {
    this.#rows = rows;
  }

  get json(): string {
    this.#json ??= JSON.stringify(this.#rows);
    return this.#json;
  }

  column(index: number): Value[] {
    return this.#rows.map((row) => row[index] ?? null);
  }
}

export class ValueList {
  readonly values: readonly Value[];
  #json: string | undefined;

  constructor(values: Iterable<Value>) {
    this.values = [...values];
  }

  get json(): string {
    this.#json ??= JSON.stringify(this.values);
    return this.#json;
  }
}

export function listOfValues(values: Iterable<number | string>): ValueList {
  return new ValueList(values);
}

export function listOfRows(rows: readonly (readonly Value[])[]): RowList {
  return new RowList(rows);
}

export function numberSet(values: Iterable<number>): SQL {
  return valueSet("number", new ValueList(values));
}

export function textSet(values: Iterable<string>): SQL {
  return valueSet("text", new ValueList(values));
}

/** Subquery of numbers bound under this name (see `listOfValues`). */
export function numbersParameter(name: string): SQL {
  return valueSet("number", sql.placeholder(name));
}

/** Subquery of texts bound under this name (see `listOfValues`). */
export function textsParameter(name: string): SQL {
  return valueSet("text", sql.placeholder(name));
}

function valueSet(type: ValueType, list: unknown): SQL {
  const json = sql.param(list, { mapToDriverValue: (input) => (input as ValueList).json });
  const array = sql.param(list, { mapToDriverValue: (input) => (input as ValueList).values });
  return selectByEngine({
    sqlite: sql`select value from json_each(${json})`,
    postgres: sql`select value from unnest(${array}::${getArray(type)}) as listed(value)`,
  });
}

type Columns = Readonly<Record<string, ValueType>>;

export function rowSet(rows: RowList, columns: Columns): SQL {
  return setOfRows(rows, columns);
}

/** Subquery of rows bound under this name (see `listOfRows`). */
export function rowsParameter(name: string, columns: Columns): SQL {
  return setOfRows(sql.placeholder(name), columns);
}

function setOfRows(rows: unknown, columns: Columns): SQL {
  const names = Object.keys(columns).map((column) => sql.identifier(column));
  const json = sql.param<unknown, unknown>(rows, {
    mapToDriverValue: (input) => (input as RowList).json,
  });
  const extracted = names.map(
    (column, index) => sql`json_extract(value, ${sql.raw(`'$[${index}]'`)}) as ${column}`,
  );
  const arrays = Object.values(columns).map((type, index) => {
    const column = sql.param<unknown, unknown>(rows, {
      mapToDriverValue: (input) => (input as RowList).column(index),
    });
    return sql`${column}::${getArray(type)}`;
  });
  return selectByEngine({
    sqlite: sql`select ${listed(extracted)} from json_each(${json})`,
    postgres: sql`select * from unnest(${listed(arrays)}) as listed(${listed(names)})`,
  });
}

const listed = (parts: readonly (SQL | ReturnType<typeof sql.identifier>)[]) =>
  sql.join([...parts], sql`, `);

const getArray = (type: ValueType) => sql.raw(`${POSTGRES_TYPES[type]}[]`);
