import type { Tx } from "../../database/index.ts";
import type { Problem } from "../context/problem.ts";

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
