import type { Tx } from "../../database/index.ts";
import type { Problem } from "../context/problem.ts";

/** Something that is wrong with a database. */
export interface Finding {
  /** Name of the check that found it. */
  readonly check: string;
  readonly problem: string;
  /** Number of items it concerns. */
  readonly count: number;
  /** A few of these, by id. */
  readonly examples: readonly string[];
  /** True if `repair` can mend it. */
  readonly fixable: boolean;
}

export interface Check {
  readonly name: string;
  readonly about: string;
  /** True if all of it follows from other rows, so that `fix` helps whatever the damage. */
  readonly isDerived?: boolean;
  find(tx: Tx): Promise<readonly Problem[]>;
  fix?(tx: Tx): Promise<void>;
}
