import { sql } from "drizzle-orm";
import {
  type AnySQLiteColumn,
  check,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import { concepts } from "../concepts/concept.table.ts";
import { entities } from "../entities/entity.table.ts";
import { episodes } from "../episodes/episode.table.ts";

export const facts = sqliteTable(
  "facts",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    episodeId: integer("episode_id")
      .notNull()
      .references(() => episodes.id),
    clusterId: integer("cluster_id")
      .notNull()
      .references(() => concepts.id),
    status: text("status", { enum: ["active", "superseded"] }).notNull(),
    /** SHA-256 of the statement, for lookups without an index on long text. */
    statementHash: text("statement_hash").notNull(),
    /** Sorted entity numbers, `3,17`: equal for facts about the same entities. */
    entityKey: text("entity_key").notNull(),
    validFrom: text("valid_from").notNull(),
    validTo: text("valid_to"),
    supersededBy: integer("superseded_by").references((): AnySQLiteColumn => facts.id),
    supersededAt: text("superseded_at"),
    createdAt: text("created_at").notNull(),
  },
  (table) => [
    uniqueIndex("facts_episode").on(table.episodeId),
    index("facts_cluster").on(table.clusterId, table.status),
    index("facts_entities").on(table.entityKey, table.status),
    index("facts_statement").on(table.statementHash),
    index("facts_held").on(table.validFrom, table.id),
    index("facts_superseded_by").on(table.supersededBy),
    check("fact_status", sql`${table.status} in ('active', 'superseded')`),
    check(
      "fact_superseded_is_closed",
      sql`(${table.status} = 'superseded') = (${table.validTo} is not null)`,
    ),
  ],
);

export const clusterEntities = sqliteTable(
  "cluster_entities",
  {
    clusterId: integer("cluster_id")
      .notNull()
      .references(() => concepts.id),
    entityId: integer("entity_id")
      .notNull()
      .references(() => entities.id),
    /** Smallest entity count of the cluster's facts about this entity. */
    smallest: integer("smallest").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.clusterId, table.entityId] }),
    index("cluster_entities_entity").on(table.entityId, table.smallest),
  ],
);
