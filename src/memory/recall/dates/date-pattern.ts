/** Boundaries of a word in a date. Scripts without spaces need none. */
export const BEFORE_WORD = "(?<![\\p{L}\\p{N}])";
export const AFTER_WORD = "(?![\\p{L}\\p{N}])";

const UNSPACED = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Thai}]/u;

/** A pattern for any of these words, longest first, for expressions with the flags `iu`. */
export function anyWord(words: readonly string[], endings = ""): string {
  const longestFirst = [...words].sort((a, b) => b.length - a.length);
  const unspaced = longestFirst.filter((word) => UNSPACED.test(word));
  const spaced = longestFirst.filter((word) => !UNSPACED.test(word));
  const alternatives = [
    ...(unspaced.length > 0 ? [unspaced.join("|")] : []),
    ...(spaced.length > 0 ? [`${BEFORE_WORD}(?:${spaced.join("|")})${endings}${AFTER_WORD}`] : []),
  ];
  return `(?:${alternatives.join("|")})`;
}
