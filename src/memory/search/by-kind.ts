import { forEachKind, type IndexedKind } from "../context/indexed-kind.ts";

/** The table that holds the items of a kind. */
export const ITEM_TABLES = {
  episode: "episodes",
  concept: "concepts",
  passage: "passages",
} as const satisfies Record<IndexedKind, string>;

/** The same query for the tables of each kind. */
export function byKind<Query>(build: (kind: IndexedKind) => Query): Record<IndexedKind, Query> {
  return forEachKind(build);
}
