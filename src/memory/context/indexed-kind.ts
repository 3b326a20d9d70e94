export const INDEXED_KINDS = ["episode", "concept", "passage"] as const;
export type IndexedKind = (typeof INDEXED_KINDS)[number];

/** Kinds that recall searches by default; passages are searched on request. */
export const MEMORY_KINDS = ["episode", "concept"] as const satisfies readonly IndexedKind[];
export type MemoryKind = (typeof MEMORY_KINDS)[number];

export function forEachKind<T>(make: (kind: IndexedKind) => T): Record<IndexedKind, T> {
  return { episode: make("episode"), concept: make("concept"), passage: make("passage") };
}
