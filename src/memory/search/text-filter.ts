import { type SQL, sql } from "drizzle-orm";
import type { IndexedKind } from "../context/indexed-kind.ts";
import { foldText } from "./fold-text.ts";
import { wordsOf } from "./query-words.ts";
import { textTable } from "./text-index.ts";

/** A long text is matched by its first words. */
const MAX_WORDS = 32;

/**
 * Condition: the item holds every word of the text, the last one perhaps only begun. Undefined for
 * a text without a word, which matches nothing. SQLite only.
 */
export function holdsWords(kind: IndexedKind, number: SQL, text: string): SQL | undefined {
  const words = wordsOf(foldText(text)).slice(0, MAX_WORDS);
  const last = words.pop();
  if (last === undefined) return undefined;
  const begun = `("${last}" OR "${last}"*)`;
  const expression = [...words.map((word) => `"${word}"`), begun].join(" AND ");
  const table = textTable(kind);
  return sql`${number} in (select rowid from ${table} where ${table} match ${expression})`;
}
