import { type SQL, sql } from "drizzle-orm";
import {
  type AnySQLiteColumn,
  check,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
} from "drizzle-orm/sqlite-core";
import type { JsonObject } from "../../shared/json.ts";
import { entities } from "../entities/entity.table.ts";
import { topics } from "../topics/topic.table.ts";

export const episodes = sqliteTable(
  "episodes",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    content: text("content").notNull(),
    episodeType: text("episode_type").notNull(),
    metadata: text("metadata", { mode: "json" }).$type<JsonObject>(),
    sourceType: text("source_type"),
    assertedBy: text("asserted_by"),
    sourceRef: text("source_ref"),
    session: text("session"),
    occurredAt: text("occurred_at"),
    planId: integer("plan_id").references((): AnySQLiteColumn => episodes.id),
    priority: text("priority"),
    topicId: text("topic_id").references(() => topics.id),
    processed: integer("processed", { mode: "boolean" }).notNull().default(false),
    createdAt: text("created_at").notNull(),
    updatedAt: text("updated_at").notNull(),
    deletedAt: text("deleted_at"),
  },
  (table) => [
    check("episode_has_content", sql`${table.content} <> ''`),
    check("episode_priority", sql`${table.priority} in ('p0', 'p1', 'p2')`),
    index("episodes_newest").on(table.createdAt, table.id).where(isActive(table.deletedAt)),
    index("episodes_happened")
      .on(
        sql`coalesce(${table.occurredAt}, ${table.createdAt})`,
        table.id,
        table.episodeType,
        table.assertedBy,
      )
      .where(isActive(table.deletedAt)),
    index("episodes_updated").on(table.updatedAt, table.id).where(isActive(table.deletedAt)),
    index("episodes_author")
      .on(table.assertedBy, table.session, table.topicId)
      .where(isActive(table.deletedAt)),
    index("episodes_deleted")
      .on(table.deletedAt, table.id)
      .where(sql`${table.deletedAt} is not null`),
    index("episodes_session").on(table.session, table.id),
    index("episodes_topic").on(table.topicId),
    index("episodes_counted").on(table.episodeType, table.processed, table.deletedAt),
    index("episodes_plan").on(table.planId),
    index("episodes_source_ref").on(table.sourceRef).where(sql`${table.sourceRef} is not null`),
    // Includes deleted episodes, because their changes are filtered too.
    index("episodes_pending").on(table.id).where(sql`${table.processed} = 0`),
  ],
);

/**
 * Partial index instead of an indexed column: SQLite would prefer an index that starts with
 * `deleted_at` and scan all episodes through it.
 */
function isActive(deletedAt: AnySQLiteColumn): SQL {
  return sql`${deletedAt} is null`;
}

export const episodeEntities = sqliteTable(
  "episode_entities",
  {
    episodeId: integer("episode_id")
      .notNull()
      .references(() => episodes.id),
    entityId: integer("entity_id")
      .notNull()
      .references(() => entities.id),
    position: integer("position").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.episodeId, table.entityId] }),
    index("episode_entities_entity").on(table.entityId, table.episodeId),
  ],
);

export const episodeLinks = sqliteTable(
  "episode_links",
  {
    episodeId: integer("episode_id")
      .notNull()
      .references(() => episodes.id),
    kind: text("kind", { enum: ["spec", "depends_on"] }).notNull(),
    targetId: integer("target_id")
      .notNull()
      .references(() => episodes.id),
    position: integer("position").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.episodeId, table.kind, table.targetId] }),
    check("episode_link_kind", sql`${table.kind} in ('spec', 'depends_on')`),
    index("episode_links_target").on(table.targetId),
  ],
);
