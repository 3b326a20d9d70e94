import type { SQL } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";

/** Something that is wrong with a database. */
export interface Finding {
  /** Name of the check that found it. */
  readonly check: string;
  /** What is wrong, as a sentence. */
  readonly problem: string;
  /** How many items it concerns. */
  readonly count: number;
  /** A few of these, by id. */
  readonly examples: readonly string[];
  /** Whether `repair` can mend it. */
  readonly fixable: boolean;
}

/** One kind of thing that must hold in every database. */
export interface Check {
  readonly name: string;
  /** What is looked at, for the report. */
  readonly about: string;
  /** Whether all of it follows from other rows, so that `fix` helps whatever the damage. */
  readonly isDerived?: boolean;
  find(tx: Tx): Promise<readonly Problem[]>;
  /** Derives anew what this check is about; only where it follows from rows that are there. */
  fix?(tx: Tx): Promise<void>;
}

/** What a check reports; `fixable` is false where the check's `fix` does not help. */
export interface Problem {
  readonly problem: string;
  readonly count: number;
  readonly examples: readonly string[];
  readonly fixable?: boolean;
}

export const EXAMPLES = 5;

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
