/** Tables of the text and vector indexes and checks of tables: PostgreSQL has others, in scripts written by hand. */
export const HAND_WRITTEN: readonly string[] = [
  "0001_text-index",
  "0011_passage-index",
  "0017_vector-signs",
];
