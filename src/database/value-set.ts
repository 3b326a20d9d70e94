import { type SQL, sql } from "drizzle-orm";

/**
 * These values as a subquery. One parameter however many there are, so that the statement stays
 * the same and is prepared once. SQLite only.
 */
export function valueSet(values: Iterable<number | string>): SQL {
  return sql`select value from json_each(${listOfValues(values)})`;
}

/** The values that a prepared query is given under this name, by `listOfValues`, as a subquery. */
export function valuesNamed(name: string): SQL {
  return sql`select value from json_each(${sql.placeholder(name)})`;
}

/** The pairs that a prepared query is given under this name, as JSON: columns `first`, `second`. */
export function pairsNamed(name: string): SQL {
  return sql`(select json_extract(value, '$[0]') as first, json_extract(value, '$[1]') as second from json_each(${sql.placeholder(name)}))`;
}

export function listOfValues(values: Iterable<number | string>): string {
  return JSON.stringify([...values]);
}
