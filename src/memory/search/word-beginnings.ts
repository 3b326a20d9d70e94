import type { Tx } from "../../database/index.ts";
import { forEachKind, INDEXED_KINDS, type IndexedKind } from "../context/indexed-kind.ts";
import type { BeginningCount, MostRows, Shortened, TextIndex } from "./text-query.ts";

/** Shorter beginnings are shared by unrelated words. */
const MIN_LETTERS = 5;
/**
 * The share of the word that must remain: `Datenbank` is nine of the nineteen letters of
 * `Datenbankverbindung`.
 */
const MIN_RATIO = 0.45;
const LETTERS = /^\p{L}+$/u;
const MAX_LETTERS = 80;

/**
 * Replacements for words that no item of a kind contains: for each, the longest beginning with which indexed
 * words begin. Many languages build words by inflection and composition, and only English is stemmed.
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

/** The beginnings of a word to search for; none for a word that is too long. */
export function shortenings(word: string): Shortened[] {
  if (word.length > MAX_LETTERS || !LETTERS.test(word)) return [];
  const least = Math.max(MIN_LETTERS, Math.ceil(word.length * MIN_RATIO));
  const beginnings = Array.from({ length: Math.max(0, word.length - least + 1) }, (_, less) =>
    word.slice(0, word.length - less),
  );
  const shortest = beginnings.at(-1);
  return shortest === undefined ? [] : [{ word, shortest, beginnings }];
}
