import { computeCosines } from "../search/simd/cosines.ts";
import type { Candidate } from "./load-candidates.ts";
import type { PreparedRecall } from "./prepare-recall.ts";
import { measureWeights, type QueryDirection } from "./prepare-recall.ts";
import { scoreSimilarity } from "./score-similarity.ts";

/** Maximum stored tokens compared with the query; 10 000 are about 300 turns of a conversation. */
const MAX_TOKENS = 20_000;
const ITEMS_PER_SLICE = 50;

interface TokenCandidate {
  readonly number: number;
  readonly text: number;
  readonly vector: number;
  readonly cosine: number | undefined;
  /** True if its words or a queried entity match. */
  readonly isMeant: boolean;
  readonly signBits: Uint8Array | undefined;
}

function computeMatchStrength({ text, vector }: Pick<TokenCandidate, "text" | "vector">): number {
  return text + vector;
}

/** Computes late-interaction scores, 0..1. Missing tokens count like the item's vector match. */
function matchTokens(
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
    .sort((a, b) => computeMatchStrength(b) - computeMatchStrength(a) || b.number - a.number);
  const similarities = new Map<number, number>();
  const compared = limitToBudget(bestFirst, bytes);
  for (let start = 0; start < compared.length && !isLate(); start += ITEMS_PER_SLICE) {
    const slice = compared.slice(start, start + ITEMS_PER_SLICE);
    const found = query.similarities(slice.map(({ signBits }) => signBits));
    for (const [index, { number }] of slice.entries()) {
      const similarity = found[index];
      if (similarity !== undefined) similarities.set(number, similarity);
    }
  }
  let best = 0;
  for (const similarity of similarities.values()) best = Math.max(best, similarity);
  const scores = new Map(
    candidates.map(({ number, isMeant, vector, cosine, signBits }): [number, number] => {
      if (signBits === undefined || cosine === undefined) return [number, vector];
      const similarity = similarities.get(number);
      const isNoise = !isMeant && (similarity ?? 0) <= background.noise;
      if (similarity === undefined || isNoise) return [number, 0];
      return [number, scoreSimilarity(similarity, best, background)];
    }),
  );
  return { scores, similarities };
}

interface MatchedTokens {
  readonly scores: ReadonlyMap<number, number>;
  readonly similarities: ReadonlyMap<number, number>;
}

interface SignedCandidate {
  readonly number: number;
  readonly signBits: Uint8Array;
}

function limitToBudget(candidates: readonly TokenCandidate[], bytes: number): SignedCandidate[] {
  const compared: SignedCandidate[] = [];
  let left = MAX_TOKENS;
  for (const { number, signBits } of candidates) {
    if (signBits === undefined) continue;
    left -= signBits.length / bytes;
    if (left < 0) break;
    compared.push({ number, signBits });
  }
  return compared;
}

const MAX_VECTOR_CANDIDATES = 100;

export interface KindSearch {
  readonly prepared: Pick<PreparedRecall, "vector">;
  /** Text score relative to the best, by number. */
  readonly texts: ReadonlyMap<number, number>;
  /** Candidates found by other means, which are also scored. */
  readonly further: Iterable<number>;
  /** Returns true if the time limit was reached and partial results must do. */
  isLate(): boolean;
}

export interface SearchMatch {
  readonly text: number;
  readonly vector: number;
  readonly tokens: number;
  readonly cosine: number | undefined;
  readonly similarity: number | undefined;
}

/** Finds and scores candidates by text, vector and entity, including the additional candidates. */
export function searchKind(
  candidates: ReadonlyMap<number, Candidate>,
  { prepared, texts, further, isLate }: KindSearch,
): Map<number, SearchMatch> {
  const values = new Set([...texts.keys(), ...further].filter((number) => candidates.has(number)));
  const cosines = findCosines(candidates, { prepared, isLate }, values);
  const background = prepared.vector?.background;
  const best = findLargest(cosines.values());
  const scoreVector = (isIntended: boolean, cosine: number | undefined) => {
    if (cosine === undefined || background === undefined) return 0;
    if (!isIntended && cosine <= background.noise) return 0;
    return scoreSimilarity(cosine, best, background);
  };
  const matches = Array.from(new Set([...values, ...cosines.keys()]), (number) => {
    const text = texts.get(number) ?? 0;
    const cosine = cosines.get(number);
    const { signBits, mentions = 0 } = candidates.get(number) ?? {};
    const isMeant = text > 0 || mentions > 0;
    return { number, text, cosine, isMeant, vector: scoreVector(isMeant, cosine), signBits };
  });
  const tokens = matchTokens(matches, prepared.vector, isLate);
  const shares = measureWeights(prepared.vector);
  return new Map(
    matches.map(({ number, text, vector, cosine }) => [
      number,
      {
        text: shares.text * text,
        vector: shares.vector * vector,
        tokens: shares.tokens * (tokens.scores.get(number) ?? 0),
        cosine,
        similarity: tokens.similarities.get(number),
      },
    ]),
  );
}

/** Returns the cosines of the given items and of the nearest relevant ones. */
function findCosines(
  candidates: ReadonlyMap<number, Candidate>,
  { prepared: { vector }, isLate }: Pick<KindSearch, "prepared" | "isLate">,
  values: ReadonlySet<number>,
): Map<number, number> {
  const retained = new Map<number, number>();
  if (vector === undefined || isLate()) return retained;
  const measured: Candidate[] = [];
  const stored: Int8Array[] = [];
  for (const candidate of candidates.values()) {
    if (candidate.vector === undefined) continue;
    measured.push(candidate);
    stored.push(candidate.vector);
  }
  const cosines = computeCosines(vector.direction, stored);
  const nearby: [number: number, cosine: number][] = [];
  for (const [index, { number }] of measured.entries()) {
    const cosine = cosines[index] as number;
    if (values.has(number)) retained.set(number, cosine);
    else nearby.push([number, cosine]);
  }
  nearby.sort(([, a], [, b]) => b - a);
  for (const [number, cosine] of nearby.slice(0, MAX_VECTOR_CANDIDATES))
    retained.set(number, cosine);
  return retained;
}

/** At least 0. */
function findLargest(values: Iterable<number>): number {
  let largest = 0;
  for (const value of values) largest = Math.max(largest, value);
  return largest;
}
