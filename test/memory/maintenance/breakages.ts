/**
 * A statement that damages a database, the check that reports it, and whether the doctor can
 * repair it.
 */
export type Breakage = readonly [name: string, statement: string, check: string, fixable: boolean];

/** Statements that run on both SQLite and PostgreSQL. */
export const BREAKAGES_OF_ANY_ENGINE: readonly Breakage[] = [
  [
    "content changed by hand",
    "update episodes set content = 'changed by hand' where id = 5",
    "text index",
    true,
  ],
  [
    "a missing vector",
    "delete from vectors where kind = 'episode' and item_id = 3",
    "vectors",
    true,
  ],
  [
    "a queue entry of nothing",
    "insert into pending_vectors values ('concept', 77, 1, 0)",
    "vectors",
    true,
  ],
  ["no embedder", "delete from meta where key = 'embedder'", "vectors", true],
  [
    "a wrong count",
    "update concepts set instance_count = 9 where type = 'fact_cluster'",
    "counts",
    true,
  ],
  ["a wrong hash", "update facts set statement_hash = 'x' where id = 2", "facts", true],
  ["clusters without their entities", "delete from cluster_entities", "facts", true],
  ["a wrong pair", "update conflicts set pair = '1:9'", "conflicts", true],
  [
    "an entity under another name's key",
    "update entities set key = 'x' where id = 2",
    "entities",
    true,
  ],
  ["a missing unique index", "drop index entities_identity", "schema", true],
  ["no queue of vectors", "drop table pending_vectors", "schema", true],
  ["a gap in the feed", "delete from events where seq = 3", "change feed", false],
  ["a winner of an open conflict", "update conflicts set winner = fact_a", "conflicts", false],
  ["broken JSON in tags", "update concepts set tags = 'oops' where id = 1", "values", false],
];
