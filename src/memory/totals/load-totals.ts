import { type SQL, sql } from "drizzle-orm";
import {
  countedAnew,
  isDamageOfTotals,
  recoverably,
  rowsOf,
  sqliteCodeOf,
  type Tx,
  textSet,
} from "../../database/index.ts";
import { TOTALS_STOPPED } from "./stop-totals.ts";

/** A number of rows, as the database keeps it. */
export interface Total {
  readonly kind: string;
  readonly name: string;
  readonly part: string;
  readonly total: number;
}

/** Which of them: of these kinds, and of all names unless some are given. */
export interface TotalsWanted {
  readonly kinds: readonly string[];
  readonly names?: readonly string[] | undefined;
}

/**
 * How many rows there are by kind, name and part, in that order; it takes the same time however
 * many there are. Where no number is kept, there is next to nothing to count, or what is kept is
 * damaged: then the rows are counted.
 */
export async function loadTotals(tx: Tx, wanted: TotalsWanted): Promise<Total[]> {
  const kept = await readKept(tx, wanted);
  if (kept.length > 0) return kept;
  return readTotals(tx, sql`(${countedAnew(wanted.kinds)}) counted where true`, wanted);
}

/** The sum of some of them. */
export async function sumTotals(tx: Tx, wanted: TotalsWanted): Promise<number> {
  return sumOf(await loadTotals(tx, wanted));
}

export function sumOf(totals: readonly Pick<Total, "total">[]): number {
  return totals.reduce((sum, { total }) => sum + total, 0);
}

/** Whether no page on which they are kept is damaged. */
export async function canReadTotals(tx: Tx): Promise<boolean> {
  try {
    await recoverably(tx, async () => tx.all(sql`select * from totals`));
    await recoverably(tx, async () =>
      tx.all(sql`select totals.kind from totals order by totals.kind, totals.name`),
    );
    return true;
  } catch (error) {
    if (isDamageOfTotals(error)) return true;
    if (sqliteCodeOf(error)?.startsWith("SQLITE_CORRUPT")) return false;
    throw error;
  }
}

async function readKept(tx: Tx, wanted: TotalsWanted): Promise<Total[]> {
  const kept = sql`totals where not exists (select 1 from meta where key = ${TOTALS_STOPPED})`;
  try {
    return await recoverably(tx, () => readTotals(tx, kept, wanted));
  } catch (error) {
    const isDamaged = sqliteCodeOf(error)?.startsWith("SQLITE_CORRUPT") ?? false;
    if (isDamaged || isDamageOfTotals(error)) return [];
    throw error;
  }
}

async function readTotals(tx: Tx, source: SQL, { kinds, names }: TotalsWanted): Promise<Total[]> {
  const named = names === undefined ? sql`` : sql` and name in (${textSet(names)})`;
  const rows = await rowsOf<[kind: string, name: string, part: string, total: number]>(
    tx,
    sql`select kind, name, part, total from ${source} and kind in (${textSet(kinds)})${named} and total <> 0 order by kind, name, part`,
  );
  return rows.map(([kind, name, part, total]) => ({ kind, name, part, total }));
}
