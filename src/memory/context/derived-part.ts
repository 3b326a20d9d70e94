/** A part of the search index. It follows from the rows, so its damage never blocks a write. */
export type IndexPart = "text index" | "vectors";
