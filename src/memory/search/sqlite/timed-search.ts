import { type SQL, sql } from "drizzle-orm";
import { inTime, type QueryShape } from "../../../database/index.ts";
import type { IndexedKind } from "../../context/indexed-kind.ts";
import type { KindsShape } from "../by-kind.ts";

/** Of a search that may have to end before it is through. */
export interface TimedShape extends QueryShape {
  readonly isTimed: boolean;
}

/** Of a search through the tables of some kinds that may have to end before it is through. */
export type TimedKindsShape = TimedShape & KindsShape;

export function timedKinds(kinds: readonly IndexedKind[], isTimed: boolean): TimedKindsShape {
  return { shape: `${kinds.join()} ${isTimed}`, kinds, isTimed };
}

export function timedShape({ isTimed }: { readonly isTimed: boolean }): TimedShape {
  return { shape: isTimed ? "timed" : "", isTimed };
}

/** A further condition on the rows of a full-text table. */
export function whileInTime(table: { getSQL(): SQL }, isTimed: boolean): SQL {
  return isTimed ? sql` and ${inTime(sql`${table}.rowid`)}` : sql``;
}
