import { type SQL, sql } from "drizzle-orm";

/**
 * These values as a subquery. One parameter however many there are, so that the statement stays
 * the same and is prepared once. SQLite only.
 */
export function valueSet(values: Iterable<number | string>): SQL {
  return sql`select value from json_each(${JSON.stringify([...values])})`;
}
