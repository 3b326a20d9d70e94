import type { SQL } from "drizzle-orm";
import type { IndexedKind } from "../context/indexed-kind.ts";
import { foldText } from "./fold-text.ts";
import { wordsOf } from "./query-words.ts";
import { fts5Holds } from "./sqlite/fts5-expression.ts";

/** A long text is matched by its first words. */
const MAX_WORDS = 32;

/**
 * Condition: the item holds every word of the text, the last one perhaps only begun. Undefined for
 * a text without a word, which matches nothing.
 */
export function holdsWords(kind: IndexedKind, number: SQL, text: string): SQL | undefined {
  const words = wordsOf(foldText(text)).slice(0, MAX_WORDS);
  const begun = words.pop();
  return begun === undefined ? undefined : fts5Holds(kind, number, { words, begun });
}
