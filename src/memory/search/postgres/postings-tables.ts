import { sql } from "drizzle-orm";
import type { IndexedKind } from "../../context/indexed-kind.ts";

/** A row for each word of each item of a kind. */
export const wordsTable = (kind: IndexedKind) => sql.identifier(`text_words_${kind}`);

/** The items of a kind that the index holds, each with all of its words. */
export const itemsTable = (kind: IndexedKind) => sql.identifier(`text_items_${kind}`);
