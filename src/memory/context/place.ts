import { type SQL, type SQLWrapper, sql } from "drizzle-orm";

/** What a list puts an item by, the last value alone telling it from all others. */
export type Place = readonly (string | number)[];

/** A part of a list: behind a place if one is given, after so many items else. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
  readonly after?: Place | undefined;
}

/** Condition: a row stands behind the place in a list that falls in all of these columns. */
export function isBelow(columns: readonly SQLWrapper[], place: Place | undefined): SQL | undefined {
  return compared(columns, place, sql`<`);
}

/** The same for a list that rises in all of them. */
export function isAbove(columns: readonly SQLWrapper[], place: Place | undefined): SQL | undefined {
  return compared(columns, place, sql`>`);
}

function compared(
  columns: readonly SQLWrapper[],
  place: Place | undefined,
  operator: SQL,
): SQL | undefined {
  if (place === undefined) return undefined;
  const values = place.map((value) => sql`${value}`);
  return sql`(${sql.join([...columns], sql`, `)}) ${operator} (${sql.join(values, sql`, `)})`;
}
