/** Internal state that recall prepares before its transaction. */
export type PreparedRecall = unknown;
