import { type SQL, sql } from "drizzle-orm";
import { byEngine } from "./by-engine.ts";

type Value = number | string | null;

/** Column types that a set may have, and their PostgreSQL names. */
const POSTGRES_TYPES = { number: "bigint", real: "double precision", text: "text" } as const;
export type ValueType = keyof typeof POSTGRES_TYPES;

/**
 * Any number of rows as one parameter, so that the statement stays the same and is prepared once. Text must
 * be well-formed.
 */
export class RowList {
  readonly #rows: readonly (readonly Value[])[];
  #json: string | undefined;

  constructor(rows: readonly (readonly Value[])[]) {
    this.#rows = rows;
  }

  /** Computed once, however often a statement reads the rows. */
  get json(): string {
    this.#json ??= JSON.stringify(this.#rows);
    return this.#json;
  }

  column(place: number): Value[] {
    return this.#rows.map((row) => row[place] ?? null);
  }
}

/** Any number of values as one parameter. */
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

/** These numbers as a subquery with the column `value`. */
export function numberSet(values: Iterable<number>): SQL {
  return setOf("number", new ValueList(values));
}

/** These texts as a subquery with the column `value`. */
export function textSet(values: Iterable<string>): SQL {
  return setOf("text", new ValueList(values));
}

/** The numbers passed to a prepared query under this name (see `listOfValues`), as a subquery. */
export function numbersNamed(name: string): SQL {
  return setOf("number", sql.placeholder(name));
}

/** The texts passed to a prepared query under this name (see `listOfValues`), as a subquery. */
export function textsNamed(name: string): SQL {
  return setOf("text", sql.placeholder(name));
}

function setOf(type: ValueType, list: unknown): SQL {
  const json = sql.param(list, { mapToDriverValue: (given) => (given as ValueList).json });
  const array = sql.param(list, { mapToDriverValue: (given) => (given as ValueList).values });
  return byEngine({
    sqlite: sql`select value from json_each(${json})`,
    postgres: sql`select value from unnest(${array}::${arrayOf(type)}) as listed(value)`,
  });
}

type Columns = Readonly<Record<string, ValueType>>;

/** These rows as a subquery. */
export function rowSet(rows: RowList, columns: Columns): SQL {
  return setOfRows(rows, columns);
}

/** The rows passed to a prepared query under this name (see `listOfRows`), as a subquery. */
export function rowsNamed(name: string, columns: Columns): SQL {
  return setOfRows(sql.placeholder(name), columns);
}

function setOfRows(rows: unknown, columns: Columns): SQL {
  const names = Object.keys(columns).map((column) => sql.identifier(column));
  const json = sql.param<unknown, unknown>(rows, {
    mapToDriverValue: (given) => (given as RowList).json,
  });
  const extracted = names.map(
    (column, place) => sql`json_extract(value, ${sql.raw(`'$[${place}]'`)}) as ${column}`,
  );
  const arrays = Object.values(columns).map((type, place) => {
    const column = sql.param<unknown, unknown>(rows, {
      mapToDriverValue: (given) => (given as RowList).column(place),
    });
    return sql`${column}::${arrayOf(type)}`;
  });
  return byEngine({
    sqlite: sql`select ${listed(extracted)} from json_each(${json})`,
    postgres: sql`select * from unnest(${listed(arrays)}) as listed(${listed(names)})`,
  });
}

const listed = (parts: readonly (SQL | ReturnType<typeof sql.identifier>)[]) =>
  sql.join([...parts], sql`, `);

const arrayOf = (type: ValueType) => sql.raw(`${POSTGRES_TYPES[type]}[]`);
