import { blob, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { IndexedKind } from "../../context/indexed-kind.ts";

/**
 * Signs of all vectors, one bit per dimension, up to 128 items per row. SQLite only; created by a
 * handwritten migration. Chunks are small because a change rewrites a row, and large enough that
 * all are quick to read: a million vectors are 7 813 rows of 6 kB.
 */
export const vectorSigns = sqliteTable(
  "vector_signs",
  {
    kind: text("kind").$type<IndexedKind>().notNull(),
    chunk: integer("chunk").notNull(),
    revision: integer("revision").notNull(),
    /** Item numbers modulo 128, one byte each. */
    places: blob("places", { mode: "buffer" }).notNull(),
    /** Signs in the order of `places`, padded to whole bytes. */
    signs: blob("signs", { mode: "buffer" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.chunk] })],
);

const CHUNK_BITS = 7;
export const CHUNK_SIZE = 2 ** CHUNK_BITS;

/** No shifts, since numbers may exceed 32 bits. */
export const getChunk = (number: number): number => Math.floor(number / CHUNK_SIZE);
export const getLocation = (number: number): number => number % CHUNK_SIZE;

export const firstOfChunk = (chunk: number): number => chunk * CHUNK_SIZE;

export function numbersOfChunk(chunk: number, locations: Uint8Array): number[] {
  return Array.from(locations, (index) => firstOfChunk(chunk) + index);
}
