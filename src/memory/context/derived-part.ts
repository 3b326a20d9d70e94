/** A part of the index by which items are found. */
export type IndexPart = "text index" | "vectors";

/** What of a database follows from its rows, so that its damage never holds up the rows themselves. */
export type DerivedPart = IndexPart | "totals";
