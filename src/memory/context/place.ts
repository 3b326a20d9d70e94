import { type SQL, type SQLWrapper, sql } from "drizzle-orm";

export type Place = readonly (string | number)[];

export interface Page {
  readonly limit: number;
  readonly offset: number;
  readonly after?: Place | undefined;
}

export function isBelow(columns: readonly SQLWrapper[], place: Place | undefined): SQL | undefined {
  return compared(columns, place, sql`<`);
}

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
