/** Creates a deterministic random number generator for 0..1. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const SYLLABLES = "ka to mi re lo san ber den vi pro tan gel os ur fi ne qua dro lam pes".split(
  " ",
);
const FILLERS = "the of and to a in is that it for on was with as be at by this from or".split(" ");
const VOCABULARY = 60_000;
/** Fraction of function words, close to that of English text. */
const FILLER_SHARE = 0.45;

export interface SyntheticText {
  /** Returns `count` words with Zipf–Mandelbrot frequencies, as in natural language. */
  sentence(count: number): string;
  /** Returns distinct content words. */
  words(count: number): string[];
  integer(below: number): number;
}

export function syntheticText(seed: number): SyntheticText {
  const random = seededRandom(seed);
  const cumulative = new Float64Array(VOCABULARY);
  let total = 0;
  for (let rank = 0; rank < VOCABULARY; rank += 1) {
    total += 1 / (rank + 2.7);
    cumulative[rank] = total;
  }
  const contentWord = () => wordOfRank(findRank(cumulative, random() * total));
  return {
    sentence: (count) =>
      Array.from({ length: count }, () =>
        random() < FILLER_SHARE
          ? (FILLERS[Math.floor(random() * FILLERS.length)] ?? "")
          : contentWord(),
      ).join(" "),
    words(count) {
      const words = new Set<string>();
      while (words.size < count) words.add(contentWord());
      return [...words];
    },
    integer: (below) => Math.floor(random() * below),
  };
}

function findRank(cumulative: Float64Array, expectedCount: number): number {
  let low = 0;
  let high = cumulative.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((cumulative[middle] ?? 0) < expectedCount) low = middle + 1;
    else high = middle;
  }
  return low;
}

function wordOfRank(rank: number): string {
  let word = "";
  for (let rest = rank + 1; rest > 0; rest = Math.floor(rest / SYLLABLES.length)) {
    word += SYLLABLES[rest % SYLLABLES.length];
  }
  return rank % 7 === 0 ? `${word}x` : word;
}
