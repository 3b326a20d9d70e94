import { type SQL, sql } from "drizzle-orm";
import type { QueryShape, QueryValues } from "../../database/index.ts";

export interface Visibility extends QueryShape {
  readonly condition: SQL;
  readonly values: QueryValues;
  /** True if the condition excludes more than a few items. */
  readonly isPart: boolean;
  readonly isTimed: boolean;
}

export const FULL_VISIBILITY: Visibility = {
  shape: "everything",
  condition: sql`true`,
  values: {},
  isPart: false,
  isTimed: false,
};
