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

export const vectors = sqliteTable(
  "vectors",
  {
    kind: text("kind", { enum: INDEXED_KINDS }).notNull(),
    itemId: integer("item_id").notNull(),
    vector: blob("vector", { mode: "buffer" }).notNull(),
    /** Sign bits of its tokens, one bit per dimension; null if the embedder returns no tokens. */
    tokens: blob("tokens", { mode: "buffer" }),
  },
  (table) => [
    primaryKey({ columns: [table.kind, table.itemId] }),
    check("vector_kind", sql`${table.kind} in ('episode', 'concept', 'passage')`),
  ],
);

/** Items whose text changed since their vector was computed; written with the change. */
export const pendingVectors = sqliteTable(
  "pending_vectors",
  {
    kind: text("kind", { enum: INDEXED_KINDS }).notNull(),
    itemId: integer("item_id").notNull(),
    revision: integer("revision").notNull(),
    /**
     * True if the item has a vector of its own text, so that recall need not wait for a better one.
     */
    canWait: integer("can_wait", { mode: "boolean" }).notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.kind, table.itemId] }),
    index("pending_vectors_order").on(table.canWait, table.itemId),
    check("pending_vector_kind", sql`${table.kind} in ('episode', 'concept', 'passage')`),
  ],
);
