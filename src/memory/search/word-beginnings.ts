import type { Tx } from "../../database/index.ts";
import { forEachKind, INDEXED_KINDS, type IndexedKind } from "../context/indexed-kind.ts";
import type { BeginningCount, MostRows, Shortened, TextIndex } from "./text-query.ts";

/** A shorter beginning is shared by words that have nothing else in common. */
const LEAST_LETTERS = 5;
/** So much of the word must be left: `Datenbank` of `Datenbankverbindung` is nine of nineteen. */
const LEAST_SHARE = 0.45;
const LETTERS = /^\p{L}+$/u;
/** What is longer is no word that anybody composed, and has a beginning for each of its letters. */
const MOST_LETTERS = 80;

/**
 * For words that no item of a kind holds, what stands in for them: the longest beginning of each
 * with which words in the index begin. Languages build words by inflection and by composition, and
 * only English is stemmed.
 */
export async function findBeginnings(
  tx: Tx,
  index: TextIndex,
  { missing, most }: { missing: Readonly<Record<IndexedKind, readonly string[]>>; most: MostRows },
): Promise<BeginningCount[]> {
  const asked = forEachKind((kind) => missing[kind].flatMap(shortenings));
  if (INDEXED_KINDS.every((kind) => asked[kind].length === 0)) return [];
  const longest = new Map<string, BeginningCount>();
  for (const count of await index.countBeginnings(tx, asked, most)) {
    const key = `${count.kind} ${count.word}`;
    const known = longest.get(key);
    if (count.rows === 0 || (known?.beginning.length ?? 0) >= count.beginning.length) continue;
    longest.set(key, count);
  }
  return [...longest.values()];
}

/** The beginnings of a word that are looked for; none of what is too long to be one. */
export function shortenings(word: string): Shortened[] {
  if (word.length > MOST_LETTERS || !LETTERS.test(word)) return [];
  const least = Math.max(LEAST_LETTERS, Math.ceil(word.length * LEAST_SHARE));
  const beginnings = Array.from({ length: Math.max(0, word.length - least + 1) }, (_, less) =>
    word.slice(0, word.length - less),
  );
  const shortest = beginnings.at(-1);
  return shortest === undefined ? [] : [{ word, shortest, beginnings }];
}
