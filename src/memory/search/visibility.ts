import { type SQL, sql } from "drizzle-orm";
import type { QueryShape, QueryValues } from "../../database/index.ts";

/** A condition on the row of an item, in the table of its kind. */
export interface Visibility extends QueryShape {
  readonly condition: SQL;
  /** Values of the placeholders in the condition. */
  readonly values: QueryValues;
  /** True if the condition excludes more than a few items. */
  readonly isPart: boolean;
  /** True if the search checks the time for each row and ends when it is up. */
  readonly isTimed: boolean;
}

export const EVERYTHING: Visibility = {
  shape: "everything",
  condition: sql`true`,
  values: {},
  isPart: false,
  isTimed: false,
};
