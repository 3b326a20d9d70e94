import { type SQL, type SQLWrapper, sql } from "drizzle-orm";

export type CursorPosition = readonly (string | number)[];

export interface Page {
  readonly limit: number;
  readonly offset: number;
  readonly after?: CursorPosition | undefined;
}

export function isBelow(
  columns: readonly SQLWrapper[],
  position: CursorPosition | undefined,
): SQL | undefined {
  return compareColumns(columns, position, sql`<`);
}

export function isAbove(
  columns: readonly SQLWrapper[],
  position: CursorPosition | undefined,
): SQL | undefined {
  return compareColumns(columns, position, sql`>`);
}

function compareColumns(
  columns: readonly SQLWrapper[],
  position: CursorPosition | undefined,
  operator: SQL,
): SQL | undefined {
  if (position === undefined) return undefined;
  const values = position.map((value) => sql`${value}`);
  return sql`(${sql.join([...columns], sql`, `)}) ${operator} (${sql.join(values, sql`, `)})`;
}
