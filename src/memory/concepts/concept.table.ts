import { sql } from "drizzle-orm";
import {
  type AnySQLiteColumn,
  check,
  index,
  integer,
  primaryKey,
  real,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import { episodes } from "../episodes/episode.table.ts";
import { topics } from "../topics/topic.table.ts";

export const concepts = sqliteTable(
  "concepts",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    publicId: text("public_id").notNull(),
    title: text("title").notNull(),
    summary: text("summary").notNull(),
    confidence: real("confidence").notNull(),
    type: text("type").notNull(),
    tags: text("tags", { mode: "json" }).$type<string[]>().notNull(),
    topicId: text("topic_id").references(() => topics.id),
    instanceCount: integer("instance_count").notNull(),
    mergedInto: integer("merged_into").references((): AnySQLiteColumn => concepts.id),
    splitFrom: integer("split_from").references((): AnySQLiteColumn => concepts.id),
    lineageNote: text("lineage_note"),
    createdAt: text("created_at").notNull(),
    updatedAt: text("updated_at").notNull(),
    deletedAt: text("deleted_at"),
  },
  (table) => [
    uniqueIndex("concepts_public_id").on(table.publicId),
    check("concept_confidence", sql`${table.confidence} between 0 and 1`),
    check("concept_has_title", sql`${table.title} <> ''`),
    index("concepts_counted").on(table.type, table.deletedAt),
    index("concepts_newest").on(table.createdAt, table.id).where(sql`${table.deletedAt} is null`),
    index("concepts_strongest")
      .on(table.confidence, table.instanceCount)
      .where(sql`${table.deletedAt} is null`),
    index("concepts_deleted")
      .on(table.deletedAt, table.id)
      .where(sql`${table.deletedAt} is not null`),
    index("concepts_topic").on(table.topicId),
    index("concepts_merged_into").on(table.mergedInto),
    index("concepts_split_from").on(table.splitFrom),
  ],
);

export const conceptSources = sqliteTable(
  "concept_sources",
  {
    conceptId: integer("concept_id")
      .notNull()
      .references(() => concepts.id),
    episodeId: integer("episode_id")
      .notNull()
      .references(() => episodes.id),
  },
  (table) => [
    primaryKey({ columns: [table.conceptId, table.episodeId] }),
    index("concept_sources_episode").on(table.episodeId),
  ],
);

export const EVIDENCE_TYPES = [
  "supporting",
  "contradicting",
  "exemplifying",
  "qualifying",
] as const;

export const evidence = sqliteTable(
  "evidence",
  {
    conceptId: integer("concept_id")
      .notNull()
      .references(() => concepts.id),
    episodeId: integer("episode_id")
      .notNull()
      .references(() => episodes.id),
    type: text("type", { enum: EVIDENCE_TYPES }).notNull(),
    strength: real("strength").notNull(),
    note: text("note"),
    createdAt: text("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.conceptId, table.episodeId] }),
    index("evidence_episode").on(table.episodeId),
    check("evidence_strength", sql`${table.strength} between 0 and 1`),
    check(
      "evidence_type",
      sql`${table.type} in ('supporting', 'contradicting', 'exemplifying', 'qualifying')`,
    ),
  ],
);

export const relations = sqliteTable(
  "relations",
  {
    sourceId: integer("source_id")
      .notNull()
      .references(() => concepts.id),
    targetId: integer("target_id")
      .notNull()
      .references(() => concepts.id),
    type: text("type").notNull(),
    strength: real("strength").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.sourceId, table.targetId, table.type] }),
    index("relations_target").on(table.targetId, table.type),
    check("relation_strength", sql`${table.strength} between 0 and 1`),
    check("relation_not_to_itself", sql`${table.sourceId} <> ${table.targetId}`),
  ],
);
