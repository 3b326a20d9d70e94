import type { QueryDirection } from "./prepare-recall.ts";
import { scoreSimilarity } from "./score-similarity.ts";

/** The most stored tokens that are compared with the query; 10 000 are 300 turns of a conversation. */
const MAX_TOKENS = 20_000;
/** Candidates between two checks of the time. */
const OF_A_SLICE = 50;

export interface TokenCandidate {
  readonly number: number;
  readonly text: number;
  readonly vector: number;
  readonly cosine: number | undefined;
  /** True if its words or an entity that is asked for support it. */
  readonly isMeant: boolean;
  /** Undefined if the item's tokens are not stored. */
  readonly signs: Uint8Array | undefined;
}

function strengthOfMatch({ text, vector }: Pick<TokenCandidate, "text" | "vector">): number {
  return text + vector;
}

/**
 * Late-interaction scores of the candidates, 0..1 by number. A candidate without stored tokens is assumed to
 * match by tokens as well as by its vector, so that it is not passed over.
 */
export function matchTokens(
  candidates: readonly TokenCandidate[],
  vector: Pick<QueryDirection, "tokens" | "direction"> | undefined,
  isLate: () => boolean,
): MatchedTokens {
  if (vector?.tokens === undefined || isLate()) {
    return { scores: new Map(), similarities: new Map() };
  }
  const { query, background } = vector.tokens;
  const bytes = Math.ceil(vector.direction.length / 8);
  const bestFirst = candidates
    .filter(({ cosine }) => cosine !== undefined)
    .sort((a, b) => strengthOfMatch(b) - strengthOfMatch(a) || b.number - a.number);
  const similarities = new Map<number, number>();
  const compared = withinBudget(bestFirst, bytes);
  for (let start = 0; start < compared.length && !isLate(); start += OF_A_SLICE) {
    const slice = compared.slice(start, start + OF_A_SLICE);
    const found = query.similarities(slice.map(({ signs }) => signs));
    for (const [place, { number }] of slice.entries()) {
      const similarity = found[place];
      if (similarity !== undefined) similarities.set(number, similarity);
    }
  }
  let best = 0;
  for (const similarity of similarities.values()) best = Math.max(best, similarity);
  const scores = new Map(
    candidates.map(({ number, isMeant, vector, cosine, signs }): [number, number] => {
      if (signs === undefined || cosine === undefined) return [number, vector];
      const similarity = similarities.get(number);
      const isNoise = !isMeant && (similarity ?? 0) <= background.noise;
      if (similarity === undefined || isNoise) return [number, 0];
      return [number, scoreSimilarity(similarity, best, background)];
    }),
  );
  return { scores, similarities };
}

export interface MatchedTokens {
  /** 0..1, as shares of the best. */
  readonly scores: ReadonlyMap<number, number>;
  readonly similarities: ReadonlyMap<number, number>;
}

interface SignedCandidate {
  readonly number: number;
  readonly signs: Uint8Array;
}

/** The leading candidates with stored tokens, as many as fit the budget of compared tokens. */
function withinBudget(candidates: readonly TokenCandidate[], bytes: number): SignedCandidate[] {
  const compared: SignedCandidate[] = [];
  let left = MAX_TOKENS;
  for (const { number, signs } of candidates) {
    if (signs === undefined) continue;
    left -= signs.length / bytes;
    if (left < 0) break;
    compared.push({ number, signs });
  }
  return compared;
}
