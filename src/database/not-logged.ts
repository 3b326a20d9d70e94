/**
 * Tables whose rows are derived from others or belong to the log itself. Every other table is logged, so that
 * a new table cannot be forgotten.
 */
export const NOT_LOGGED: readonly string[] = [
  "changes",
  "row_changes",
  "event_items",
  "events",
  "purged_items",
  "idempotency_keys",
  "meta",
  "vectors",
  "vector_signs",
  "pending_vectors",
  "cluster_entities",
  "recalls",
  "recalled_items",
];
