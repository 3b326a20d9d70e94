import { sql } from "drizzle-orm";
import type { IndexedKind } from "../../context/indexed-kind.ts";

export const wordsTable = (kind: IndexedKind) => sql.identifier(`text_words_${kind}`);

export const itemsTable = (kind: IndexedKind) => sql.identifier(`text_items_${kind}`);
