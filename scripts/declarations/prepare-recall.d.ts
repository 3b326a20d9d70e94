/** What recall finds out before its transaction stays inside of the engine. */
export type PreparedRecall = unknown;
