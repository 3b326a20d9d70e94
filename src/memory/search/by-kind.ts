import type { QueryShape } from "../../database/index.ts";
import { forEachKind, type IndexedKind } from "../context/indexed-kind.ts";

export const ITEM_TABLES = {
  episode: "episodes",
  concept: "concepts",
  passage: "passages",
} as const satisfies Record<IndexedKind, string>;

export interface KindsShape extends QueryShape {
  readonly kinds: readonly IndexedKind[];
}

export function ofKinds(kinds: readonly IndexedKind[]): KindsShape {
  return { shape: kinds.join(), kinds };
}

export function byKind<Query>(build: (kind: IndexedKind) => Query): Record<IndexedKind, Query> {
  return forEachKind(build);
}
