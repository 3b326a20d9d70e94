import type { SQL } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";

/** What a check of a database reports; `fixable` is false where the check's `fix` does not help. */
export interface Problem {
  readonly problem: string;
  readonly count: number;
  readonly examples: readonly string[];
  readonly fixable?: boolean;
}

const EXAMPLES = 5;

/** The problem that concerns these items, or none. */
export function problemOf(
  problem: string,
  items: readonly string[],
  fixable?: boolean | undefined,
): readonly Problem[] {
  if (items.length === 0) return [];
  const examples = items.slice(0, EXAMPLES);
  return [{ problem, count: items.length, examples, ...(fixable !== undefined && { fixable }) }];
}

/** The problem that concerns each row of a `select … as item`. */
export async function problemOfRows(
  tx: Tx,
  problem: string,
  select: SQL,
  fixable?: boolean,
): Promise<readonly Problem[]> {
  const rows = await tx.all<{ item: string | number }>(select);
  return problemOf(
    problem,
    rows.map(({ item }) => String(item)),
    fixable,
  );
}
