import { sql } from "drizzle-orm";
import {
  check,
  index,
  integer,
  primaryKey,
  real,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";

export const entities = sqliteTable(
  "entities",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    type: text("type").notNull(),
    name: text("name").notNull(),
    key: text("key").notNull(),
    createdAt: text("created_at").notNull(),
  },
  (table) => [
    uniqueIndex("entities_identity").on(table.type, table.key),
    index("entities_key").on(table.key),
  ],
);

export const entityRelations = sqliteTable(
  "entity_relations",
  {
    sourceId: integer("source_id")
      .notNull()
      .references(() => entities.id),
    targetId: integer("target_id")
      .notNull()
      .references(() => entities.id),
    relation: text("relation").notNull(),
    strength: real("strength").notNull(),
    context: text("context"),
    createdAt: text("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.sourceId, table.targetId, table.relation] }),
    index("entity_relations_target").on(table.targetId),
    check("entity_relation_strength", sql`${table.strength} between 0 and 1`),
    check("entity_relation_not_to_itself", sql`${table.sourceId} <> ${table.targetId}`),
  ],
);
