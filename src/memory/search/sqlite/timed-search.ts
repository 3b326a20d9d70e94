import { type SQL, sql } from "drizzle-orm";
import { inTime, type QueryShape } from "../../../database/index.ts";
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
export function whileInTime(table: { getSQL(): SQL }, isTimed: boolean): SQL {
  return isTimed ? sql` and ${inTime(sql`${table}.rowid`)}` : sql``;
}
