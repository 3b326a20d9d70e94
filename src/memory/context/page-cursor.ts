import { type SQL, type SQLWrapper, sql } from "drizzle-orm";

export type Place = readonly (string | number)[];

export interface Page {
  readonly limit: number;
  readonly offset: number;
  readonly after?: Place | undefined;
}

export function isBelow(
  columns: readonly SQLWrapper[],
  position: Place | undefined,
): SQL | undefined {
  return compared(columns, position, sql`<`);
}

export function isAbove(
  columns: readonly SQLWrapper[],
  position: Place | undefined,
): SQL | undefined {
  return compared(columns, position, sql`>`);
}

function compared(
  columns: readonly SQLWrapper[],
  position: Place | undefined,
  operator: SQL,
): SQL | undefined {
  if (position === undefined) return undefined;
  const values = position.map((value) => sql`${value}`);
  return sql`(${sql.join([...columns], sql`, `)}) ${operator} (${sql.join(values, sql`, `)})`;
}
