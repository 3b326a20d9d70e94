import { type SQL, sql } from "drizzle-orm";
import { rowsOf, type Tx } from "../../database/index.ts";

/** The values that a query of one column finds; undefined: there are more than `most`. */
export async function valuesIfFew<Value extends number | string>(
  tx: Tx,
  query: SQL,
  most: number,
): Promise<readonly Value[] | undefined> {
  const rows = await rowsOf<[value: Value]>(tx, sql`${query} limit ${most + 1}`);
  return rows.length > most ? undefined : rows.map(([value]) => value);
}
