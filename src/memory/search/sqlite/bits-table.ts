import { sql } from "drizzle-orm";
import type { IndexedKind } from "../../context/indexed-kind.ts";

/** Name of the table of sign bits of a kind. */
export const bitsTable = (kind: IndexedKind) => sql.identifier(`${kind}_bits`);

/**
 * Parts of a bits table, by number modulo. sqlite-vec's search costs rows × neighbours, so a few
 * neighbours of each part are far cheaper than many of the whole; docs/decisions tells the figures.
 */
export const PARTS = 16;
export const ALL_PARTS = JSON.stringify(Array.from({ length: PARTS }, (_, part) => part));
