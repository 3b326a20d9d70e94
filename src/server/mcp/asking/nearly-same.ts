const SHARED = 0.5;

/** True if two texts share so many words that one probably says otherwise than the other. */
export function isNearlySame(a: string, b: string): boolean {
  const [first, second] = [wordsOf(a), wordsOf(b)];
  const shared = [...first].filter((word) => second.has(word)).length;
  const all = new Set([...first, ...second]).size;
  return all > 0 && shared < all && shared / all >= SHARED;
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
}
