import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

export const PASSAGE_ROLES = ["turn", "tool", "commit", "section"] as const;
export type PassageRole = (typeof PASSAGE_ROLES)[number];

export const sources = sqliteTable(
  "sources",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    /** Origin: `claude-code`, `git`, `file`. */
    kind: text("kind").notNull(),
    key: text("key").notNull(),
    title: text("title").notNull(),
    /** Folder, branch or URL; null if unknown. */
    place: text("place"),
    mark: text("mark"),
    createdAt: text("created_at").notNull(),
    updatedAt: text("updated_at").notNull(),
    deletedAt: text("deleted_at"),
  },
  (table) => [
    uniqueIndex("sources_key").on(table.kind, table.key),
    index("sources_newest").on(table.updatedAt, table.id),
  ],
);

export const passages = sqliteTable(
  "passages",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    sourceId: integer("source_id")
      .notNull()
      .references(() => sources.id),
    segment: integer("segment").notNull(),
    key: text("key").notNull(),
    role: text("role", { enum: PASSAGE_ROLES }).notNull(),
    assertedBy: text("asserted_by").notNull(),
    content: text("content").notNull(),
    /** Paths relative to the project, absolute if outside. */
    files: text("files", { mode: "json" }).$type<readonly string[]>().notNull(),
    branch: text("branch"),
    reverts: text("reverts"),
    occurredAt: text("occurred_at").notNull(),
    createdAt: text("created_at").notNull(),
    deletedAt: text("deleted_at"),
  },
  (table) => [
    check("passage_has_content", sql`${table.content} <> ''`),
    uniqueIndex("passages_key").on(table.sourceId, table.key),
    index("passages_source").on(table.sourceId, table.segment, table.id),
    index("passages_happened").on(table.occurredAt, table.id),
  ],
);
