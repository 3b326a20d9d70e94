/**
 * Scores how well a text matches the words of a query: 0 if a word's letters do not occur in order within
 * a word or phrase of the text. Whole words count most, then beginnings of words, then scattered letters.
 */
export function fuzzyScore(query: string, text: string): number {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return 1;
  const lower = text.toLowerCase();
  let sum = 0;
  for (const word of words) {
    const score = scoreOfWord(word, lower);
    if (score === 0) return 0;
    sum += score;
  }
  return sum / words.length;
}

function scoreOfWord(word: string, text: string): number {
  const at = text.indexOf(word);
  if (at >= 0) return (isBoundary(text, at) ? 3 : 2) + word.length / (text.length + 1);
  if (word.length < 3) return 0;
  let best = 0;
  for (const part of text.split(/[^\p{L}\p{N}]+/u)) {
    if (part[0] !== word[0] || !isSubsequence(word, part)) continue;
    best = Math.max(best, word.length / part.length);
  }
  return best;
}

function isBoundary(text: string, at: number): boolean {
  return at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? "");
}

/** True if the letters occur in order, such as `timline` in `timeline`. */
function isSubsequence(word: string, text: string): boolean {
  let at = 0;
  for (const letter of text) if (letter === word[at]) at += 1;
  return at === word.length;
}
