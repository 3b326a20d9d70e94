import { type SQL, sql } from "drizzle-orm";
import { getRows, numberSet, type Tx } from "../../database/index.ts";
import { FILTERED, type FilteredKind } from "./filtered-kinds.ts";

interface Asked {
  readonly numbers: readonly number[];
  readonly passes: SQL | undefined;
}

export async function numbersThatPass(
  tx: Tx,
  kind: FilteredKind,
  { numbers, passes }: Asked,
): Promise<readonly number[]> {
  if (passes === undefined || numbers.length === 0) return numbers;
  const { from, number } = FILTERED[kind];
  const rows = await getRows<[number: number]>(
    tx,
    sql`select ${number} from ${from} where ${number} in (${numberSet(numbers)}) and ${passes}`,
  );
  const passed = new Set(rows.map(([found]) => found));
  return numbers.filter((one) => passed.has(one));
}
