import { sql } from "drizzle-orm";
import type { IndexedKind } from "../../context/indexed-kind.ts";

/** The table with a row for each word of each item of a kind. */
export const wordsTable = (kind: IndexedKind) => sql.identifier(`text_words_${kind}`);

/** The table of the indexed items of a kind, each with all of its words. */
export const itemsTable = (kind: IndexedKind) => sql.identifier(`text_items_${kind}`);
