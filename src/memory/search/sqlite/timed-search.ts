import { type SQL, sql } from "drizzle-orm";
import { type QueryShape, withinTime } from "../../../database/index.ts";
import type { IndexedKind } from "../../context/indexed-kind.ts";
import type { KindsShape } from "../by-kind.ts";

export interface TimedShape extends QueryShape {
  readonly isTimed: boolean;
}

export type TimedKindsShape = TimedShape & KindsShape;

export function timedKinds(kinds: readonly IndexedKind[], isTimed: boolean): TimedKindsShape {
  return { shape: `${kinds.join()} ${isTimed}`, kinds, isTimed };
}

export function timedShape({ isTimed }: { readonly isTimed: boolean }): TimedShape {
  return { shape: isTimed ? "timed" : "", isTimed };
}

/** SQL condition on full-text rows that ends the search at the time limit. */
export function whileWithinTime(table: { getSQL(): SQL }, isTimed: boolean): SQL {
  return isTimed ? sql` and ${withinTime(sql`${table}.rowid`)}` : sql``;
}
