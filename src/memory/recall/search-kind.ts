import { cosinesTo } from "../search/simd/cosines.ts";
import type { Candidate } from "./load-candidates.ts";
import { matchTokens } from "./match-tokens.ts";
import { measureShares } from "./measure-shares.ts";
import type { PreparedRecall } from "./prepare-recall.ts";
import { scoreSimilarity } from "./score-similarity.ts";

/** A larger number of candidates does not improve the ranking. */
const VECTOR_CANDIDATES = 100;

export interface KindSearch {
  readonly prepared: Pick<PreparedRecall, "vector">;
  /** For each number the text score as a share of the best score. */
  readonly texts: ReadonlyMap<number, number>;
  /** Candidates that have another reason: they are scored, but not searched for. */
  readonly further: Iterable<number>;
  /** True if time is up, so that what was found so far must do. */
  isLate(): boolean;
}

export interface Found {
  readonly text: number;
  readonly vector: number;
  readonly tokens: number;
  readonly cosine: number | undefined;
  /** Late-interaction similarity; undefined where tokens were not compared. */
  readonly similarity: number | undefined;
}

/**
 * The candidates that text, vectors or a requested entity find, and the further candidates, all
 * with their scores.
 */
export function searchKind(
  candidates: ReadonlyMap<number, Candidate>,
  { prepared, texts, further, isLate }: KindSearch,
): Map<number, Found> {
  const given = new Set([...texts.keys(), ...further].filter((number) => candidates.has(number)));
  const cosines = findCosines(candidates, { prepared, isLate }, given);
  const background = prepared.vector?.background;
  const best = largestOf(cosines.values());
  const scoreVector = (isMeant: boolean, cosine: number | undefined) => {
    if (cosine === undefined || background === undefined) return 0;
    if (!isMeant && cosine <= background.noise) return 0;
    return scoreSimilarity(cosine, best, background);
  };
  const matches = Array.from(new Set([...given, ...cosines.keys()]), (number) => {
    const text = texts.get(number) ?? 0;
    const cosine = cosines.get(number);
    const { signs, mentions = 0 } = candidates.get(number) ?? {};
    const isMeant = text > 0 || mentions > 0;
    return { number, text, cosine, isMeant, vector: scoreVector(isMeant, cosine), signs };
  });
  const tokens = matchTokens(matches, prepared.vector, isLate);
  const shares = measureShares(prepared.vector);
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

/**
 * Cosine similarities of the nearest items that are above the noise or about a requested entity,
 * and of all given items.
 */
function findCosines(
  candidates: ReadonlyMap<number, Candidate>,
  { prepared: { vector }, isLate }: Pick<KindSearch, "prepared" | "isLate">,
  given: ReadonlySet<number>,
): Map<number, number> {
  const kept = new Map<number, number>();
  if (vector === undefined || isLate()) return kept;
  const measured: Candidate[] = [];
  const stored: Int8Array[] = [];
  for (const candidate of candidates.values()) {
    if (candidate.vector === undefined) continue;
    measured.push(candidate);
    stored.push(candidate.vector);
  }
  const cosines = cosinesTo(vector.direction, stored);
  const near: [number: number, cosine: number][] = [];
  for (const [index, { number }] of measured.entries()) {
    const cosine = cosines[index] as number;
    if (given.has(number)) kept.set(number, cosine);
    else near.push([number, cosine]);
  }
  near.sort(([, a], [, b]) => b - a);
  for (const [number, cosine] of near.slice(0, VECTOR_CANDIDATES)) kept.set(number, cosine);
  return kept;
}

/** At least 0. */
function largestOf(values: Iterable<number>): number {
  let largest = 0;
  for (const value of values) largest = Math.max(largest, value);
  return largest;
}
