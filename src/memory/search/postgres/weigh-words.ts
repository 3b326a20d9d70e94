import { stemmer } from "stemmer";
import { type SearchableText, UNSPACED_SCRIPT } from "../searchable-text.ts";

/** Letters, digits, private-use characters and their marks. */
const WORD_PATTERN = /[\p{L}\p{N}\p{M}\p{Co}]+/gu;
const MARKS_ALONE = /^\p{M}+$/u;
const [SHORTEST_STEMMED, LONGEST_STEMMED] = [3, 64];
/** Words are index keys, which PostgreSQL limits to 2 700 bytes. */
const MAX_WORD_CHARS = 500;
/** Names and dates count more than content words. */
const CONTEXT_WEIGHT = 2;

export interface WeighedWords {
  readonly weights: ReadonlyMap<string, number>;
  readonly length: number;
}

export function splitStemmedWords(text: string): string[] {
  return (text.match(WORD_PATTERN) ?? []).filter((word) => !MARKS_ALONE.test(word)).map(stemWord);
}

/** Returns a text that sorts after every word with this prefix, in byte order. */
export function prefixEnd(beginning: string): string {
  return `${beginning}\u{10FFFF}`;
}

/** Returns the index key of a word from `parseQueryWords`, which may be a spaced character pair. */
export function stemKey(word: string): string {
  return splitStemmedWords(word).slice(0, 2).join(" ");
}

export function weighWords({ content, context }: SearchableText): WeighedWords {
  const weights = new Map<string, number>();
  let length = 0;
  for (const { text, weight } of [
    { text: content, weight: 1 },
    { text: context, weight: CONTEXT_WEIGHT },
  ]) {
    const words = splitStemmedWords(text);
    length += words.length;
    for (const word of [...words, ...pairWords(words)]) {
      weights.set(word, (weights.get(word) ?? 0) + weight);
    }
  }
  return { weights, length };
}

function pairWords(words: readonly string[]): string[] {
  return words.flatMap((word, index) => {
    const next = words[index + 1];
    return next !== undefined && UNSPACED_SCRIPT.test(word) && UNSPACED_SCRIPT.test(next)
      ? [`${word} ${next}`]
      : [];
  });
}

function stemWord(word: string): string {
  const cut = word.slice(0, MAX_WORD_CHARS);
  return cut.length < SHORTEST_STEMMED || cut.length > LONGEST_STEMMED ? cut : stemmer(cut);
}
