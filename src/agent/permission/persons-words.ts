const RATIO = 0.5;
const SHORTEST_WORD = 3;

/** True if what is claimed of the person is in their own words. */
export function isQuotedFrom(said: string, claim: string): boolean {
  const words = wordsOf(claim);
  if (words.size === 0) return false;
  const known = wordsOf(said);
  const shared = [...words].filter((word) => known.has(word)).length;
  return shared / words.size >= RATIO;
}

function wordsOf(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.filter((word) => word.length >= SHORTEST_WORD && !OF_EVERY_CLAIM.has(word)));
}

const OF_EVERY_CLAIM: ReadonlySet<string> = new Set(
  "the user prefers wants likes person their they this that project always never should must and for with from use uses not".split(
    " ",
  ),
);
