import type { SQL } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";

export interface Problem {
  readonly problem: string;
  readonly count: number;
  readonly examples: readonly string[];
  readonly fixable?: boolean;
}

const MAX_EXAMPLES = 5;

export function createProblem(
  problem: string,
  items: readonly string[],
  fixable?: boolean | undefined,
): readonly Problem[] {
  if (items.length === 0) return [];
  const examples = items.slice(0, MAX_EXAMPLES);
  return [{ problem, count: items.length, examples, ...(fixable !== undefined && { fixable }) }];
}

export async function createRowProblem(
  tx: Tx,
  problem: string,
  select: SQL,
  fixable?: boolean,
): Promise<readonly Problem[]> {
  const rows = await tx.all<{ item: string | number }>(select);
  return createProblem(
    problem,
    rows.map(({ item }) => String(item)),
    fixable,
  );
}
