import { stemmer } from "stemmer";
import { type SearchableText, UNSPACED_SCRIPT } from "../searchable-text.ts";

/** What holds a letter, a digit or a character of one's own; marks belong to the letters before them. */
const WORD = /[\p{L}\p{N}\p{M}\p{Co}]+/gu;
const MARKS_ALONE = /^\p{M}+$/u;
/** Porter's rules are for words of these lengths. */
const [SHORTEST_STEMMED, LONGEST_STEMMED] = [3, 64];
/** A word is a key of the index, which takes 2 700 bytes. */
const MAX_WORD_CHARS = 500;
/** Names and dates are worth more than words of the content. */
const CONTEXT_WEIGHT = 2;

/** The words of an item as they are indexed. */
export interface WeighedWords {
  /** How often each occurs, more where it counts for more. */
  readonly weights: ReadonlyMap<string, number>;
  /** How many words there are, pairs left out. */
  readonly length: number;
}

/** Words of folded text, in their order, stemmed. */
export function stemmedWords(text: string): string[] {
  return (text.match(WORD) ?? []).filter((word) => !MARKS_ALONE.test(word)).map(stemOf);
}

/** A text that follows every word with this beginning, in the order of their bytes. */
export function endOf(beginning: string): string {
  return `${beginning}\u{10FFFF}`;
}

/** The key of a word as `queryWords` gives it, two neighbouring characters with a space included. */
export function keyOf(word: string): string {
  return stemmedWords(word).slice(0, 2).join(" ");
}

export function weighWords({ content, context }: SearchableText): WeighedWords {
  const weights = new Map<string, number>();
  let length = 0;
  for (const { text, weight } of [
    { text: content, weight: 1 },
    { text: context, weight: CONTEXT_WEIGHT },
  ]) {
    const words = stemmedWords(text);
    length += words.length;
    for (const word of [...words, ...pairsOf(words)]) {
      weights.set(word, (weights.get(word) ?? 0) + weight);
    }
  }
  return { weights, length };
}

/** Neighbouring characters of scripts without spaces, by which these are searched. */
function pairsOf(words: readonly string[]): string[] {
  return words.flatMap((word, index) => {
    const next = words[index + 1];
    return next !== undefined && UNSPACED_SCRIPT.test(word) && UNSPACED_SCRIPT.test(next)
      ? [`${word} ${next}`]
      : [];
  });
}

function stemOf(word: string): string {
  const cut = word.slice(0, MAX_WORD_CHARS);
  return cut.length < SHORTEST_STEMMED || cut.length > LONGEST_STEMMED ? cut : stemmer(cut);
}
