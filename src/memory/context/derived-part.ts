/** What of a database follows from its rows, so that its damage never holds up the rows themselves. */
export type DerivedPart = "text index" | "vectors";
