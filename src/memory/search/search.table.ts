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

/** The exact vectors, as 8-bit integers with one scale for each vector. */
export const vectors = sqliteTable(
  "vectors",
  {
    kind: text("kind", { enum: INDEXED_KINDS }).notNull(),
    itemId: integer("item_id").notNull(),
    vector: blob("vector", { mode: "buffer" }).notNull(),
    /** The signs of its tokens, one bit a dimension; null where the embedder tells no tokens. */
    tokens: blob("tokens", { mode: "buffer" }),
  },
  (table) => [
    primaryKey({ columns: [table.kind, table.itemId] }),
    check("vector_kind", sql`${table.kind} in ('episode', 'concept', 'passage')`),
  ],
);

/** Items whose text changed since their vector was made: written with the change itself. */
export const pendingVectors = sqliteTable(
  "pending_vectors",
  {
    kind: text("kind", { enum: INDEXED_KINDS }).notNull(),
    itemId: integer("item_id").notNull(),
    /**
     * Drawn anew with each change, so that a vector made from older text is not taken for current.
     * A count would begin again after each vector, and be met twice.
     */
    revision: integer("revision").notNull(),
    /** There is a vector of the item's own text, so that recall need not wait for a better one. */
    canWait: integer("can_wait", { mode: "boolean" }).notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.kind, table.itemId] }),
    index("pending_vectors_order").on(table.canWait, table.itemId),
    check("pending_vector_kind", sql`${table.kind} in ('episode', 'concept', 'passage')`),
  ],
);
