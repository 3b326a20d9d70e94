import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const meta = sqliteTable("meta", {
  key: text("key").primaryKey(),
  value: text("value").notNull(),
});

export const idempotencyKeys = sqliteTable("idempotency_keys", {
  key: text("key").primaryKey(),
  operation: text("operation").notNull(),
  requestHash: text("request_hash").notNull(),
  response: text("response").notNull(),
  createdAt: text("created_at").notNull(),
  changeId: integer("change_id"),
});

export const purgedItems = sqliteTable("purged_items", {
  item: text("item").primaryKey(),
  ts: text("ts").notNull(),
});
