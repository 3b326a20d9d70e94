import { blob, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { IndexedKind } from "../../context/indexed-kind.ts";

/**
 * The signs of all vectors, one bit a dimension, up to 128 items in a row. Only SQLite has this table; its
 * migration is written by hand. Chunks are small because a change writes a whole row, and large enough that
 * all can be read at once: a million vectors are 7 813 rows of 6 kB.
 */
export const vectorSigns = sqliteTable(
  "vector_signs",
  {
    kind: text("kind").$type<IndexedKind>().notNull(),
    /** The number of each item in the chunk, divided by 128. */
    chunk: integer("chunk").notNull(),
    /** A new random number with each change: a counter that was rolled back would repeat a value. */
    revision: integer("revision").notNull(),
    /** One byte an item: its number modulo 128. */
    places: blob("places", { mode: "buffer" }).notNull(),
    /** The signs of the items in the order of `places`, padded to whole bytes. */
    signs: blob("signs", { mode: "buffer" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.chunk] })],
);

const CHUNK_BITS = 7;
export const CHUNK_SIZE = 2 ** CHUNK_BITS;

/** Division, not shifts: numbers may have more than 32 bits. */
export const chunkOf = (number: number): number => Math.floor(number / CHUNK_SIZE);
export const placeOf = (number: number): number => number % CHUNK_SIZE;

/** The number of an item in a chunk whose place is 0. */
export const firstOfChunk = (chunk: number): number => chunk * CHUNK_SIZE;

export function numbersOfChunk(chunk: number, places: Uint8Array): number[] {
  return Array.from(places, (place) => firstOfChunk(chunk) + place);
}
