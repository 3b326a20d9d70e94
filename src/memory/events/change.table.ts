import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const changes = sqliteTable(
  "changes",
  {
    id: integer("id").primaryKey(),
    ts: text("ts").notNull(),
    author: text("author").notNull(),
    surface: text("surface").notNull(),
    session: text("session"),
    operation: text("operation").notNull(),
    undoOf: text("undo_of", { mode: "json" }).$type<number[]>(),
    /** Number of the change that undid this one and is in force. */
    undoneBy: integer("undone_by"),
  },
  (table) => [
    index("changes_at").on(table.ts, table.id),
    index("changes_author").on(table.author, table.id),
    index("changes_session").on(table.session, table.id).where(sql`${table.session} is not null`),
  ],
);

export const ROW_ACTIONS = ["insert", "update", "delete"] as const;

export const rowChanges = sqliteTable(
  "row_changes",
  {
    seq: integer("seq").primaryKey(),
    changeId: integer("change_id").notNull(),
    tableName: text("table_name").notNull(),
    /** JSON array of the primary key's values. */
    rowKey: text("row_key").notNull(),
    action: text("action", { enum: ROW_ACTIONS }).notNull(),
    /** JSON object: the changed columns for an update, the whole row for a delete. */
    before: text("before"),
    /** JSON object with the changed columns of an update. */
    after: text("after"),
    purged: integer("purged", { mode: "boolean" }).notNull().default(false),
  },
  (table) => [
    index("row_changes_change").on(table.changeId),
    index("row_changes_row").on(table.tableName, table.rowKey, table.changeId),
  ],
);
