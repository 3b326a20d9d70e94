/** A rebuildable part of the search index; damage to it never blocks a write. */
export type IndexPart = "text index" | "vectors";
