import type { QueryShape } from "../../database/index.ts";
import { forEachKind, type IndexedKind } from "../context/indexed-kind.ts";

/** The table that holds the items of a kind. */
export const ITEM_TABLES = {
  episode: "episodes",
  concept: "concepts",
  passage: "passages",
} as const satisfies Record<IndexedKind, string>;

/** The shape of a query through the tables of some kinds. */
export interface KindsShape extends QueryShape {
  readonly kinds: readonly IndexedKind[];
}

export function ofKinds(kinds: readonly IndexedKind[]): KindsShape {
  return { shape: kinds.join(), kinds };
}

/** Builds the same query for the tables of each kind. */
export function byKind<Query>(build: (kind: IndexedKind) => Query): Record<IndexedKind, Query> {
  return forEachKind(build);
}
