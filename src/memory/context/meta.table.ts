import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const meta = sqliteTable("meta", {
  key: text("key").primaryKey(),
  value: text("value").notNull(),
});

/** First answers to requests that carried an idempotency key. */
export const idempotencyKeys = sqliteTable("idempotency_keys", {
  key: text("key").primaryKey(),
  operation: text("operation").notNull(),
  requestHash: text("request_hash").notNull(),
  response: text("response").notNull(),
  createdAt: text("created_at").notNull(),
  /** Number of the change that the request was; null for answers of former versions. */
  changeId: integer("change_id"),
});

/** Items whose text was purged: they can never be restored. */
export const purgedItems = sqliteTable("purged_items", {
  item: text("item").primaryKey(),
  ts: text("ts").notNull(),
});
