import { index, integer, primaryKey, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { JsonObject } from "../../shared/json.ts";

/** Origin of a recall: a hook or the agent, or the surface used. */
export const RECALL_WAYS = [
  "start",
  "prompt",
  "moment",
  "mcp",
  "rest",
  "cli",
  "agent",
  "library",
  "page",
] as const;

export type RecallWay = (typeof RECALL_WAYS)[number];

/** Recall requests and callers. Result texts are not stored. */
export const recalls = sqliteTable(
  "recalls",
  {
    id: text("id").primaryKey(),
    at: text("at").notNull(),
    way: text("way", { enum: RECALL_WAYS }).notNull(),
    client: text("client"),
    session: text("session"),
    askedBy: text("asked_by"),
    question: text("question"),
    /** Other parameters: entity, as_of, max_chars. */
    asked: text("asked", { mode: "json" }).$type<JsonObject>(),
    given: integer("given").notNull(),
    cut: integer("cut").notNull(),
  },
  (table) => [
    index("recalls_at").on(table.at, table.id),
    index("recalls_session").on(table.session, table.at),
  ],
);

/** Items returned, or omitted by the size limit. */
export const recalledItems = sqliteTable(
  "recalled_items",
  {
    recallId: text("recall_id").notNull(),
    rank: integer("rank").notNull(),
    /** Item id, prefixed with the layer's name if it is from an outer layer. */
    item: text("item").notNull(),
    score: real("score"),
    isCut: integer("is_cut", { mode: "boolean" }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.recallId, table.rank] }),
    index("recalled_items_item").on(table.item, table.recallId),
  ],
);
