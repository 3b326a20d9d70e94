import { sql } from "drizzle-orm";
import {
  blob,
  check,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
} from "drizzle-orm/sqlite-core";
import { INDEXED_KINDS } from "../context/indexed-kind.ts";

/** The exact vectors as 8-bit integers, with one scale for each vector. */
export const vectors = sqliteTable(
  "vectors",
  {
    kind: text("kind", { enum: INDEXED_KINDS }).notNull(),
    itemId: integer("item_id").notNull(),
    vector: blob("vector", { mode: "buffer" }).notNull(),
    /** The sign bits of its tokens, one bit a dimension; null if the embedder returns no tokens. */
    tokens: blob("tokens", { mode: "buffer" }),
  },
  (table) => [
    primaryKey({ columns: [table.kind, table.itemId] }),
    check("vector_kind", sql`${table.kind} in ('episode', 'concept', 'passage')`),
  ],
);

/** Items whose text changed since their vector was made. The row is written together with the change. */
export const pendingVectors = sqliteTable(
  "pending_vectors",
  {
    kind: text("kind", { enum: INDEXED_KINDS }).notNull(),
    itemId: integer("item_id").notNull(),
    revision: integer("revision").notNull(),
    /** True if the item's own text has a vector already, so that recall need not wait for a better one. */
    canWait: integer("can_wait", { mode: "boolean" }).notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.kind, table.itemId] }),
    index("pending_vectors_order").on(table.canWait, table.itemId),
    check("pending_vector_kind", sql`${table.kind} in ('episode', 'concept', 'passage')`),
  ],
);
