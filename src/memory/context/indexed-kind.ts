/** What is indexed for recall. */
export const INDEXED_KINDS = ["episode", "concept"] as const;
export type IndexedKind = (typeof INDEXED_KINDS)[number];
