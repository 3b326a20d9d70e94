import { cosinesTo } from "../search/simd/cosines.ts";
import type { Candidate } from "./load-candidates.ts";
import { matchTokens } from "./match-tokens.ts";
import { measureShares } from "./measure-shares.ts";
import type { PreparedRecall } from "./prepare-recall.ts";
import { scoreSimilarity } from "./score-similarity.ts";

/** More bring no better ranking. */
const VECTOR_CANDIDATES = 100;

export interface KindSearch {
  readonly prepared: Pick<PreparedRecall, "vector">;
  /** Share of the best text match by number. */
  readonly texts: ReadonlyMap<number, number>;
  /** Candidates that are there for another reason: they are scored, not found. */
  readonly further: Iterable<number>;
  /** Time is up: what was found by now must do. */
  isLate(): boolean;
}

export interface Found {
  readonly text: number;
  readonly vector: number;
  readonly tokens: number;
  readonly cosine: number | undefined;
}

/**
 * What text, vectors or an entity that is asked for find among the candidates, with their scores,
 * and the further ones with theirs.
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
    // Similarity within the noise speaks for what was found otherwise, and finds nothing by itself.
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
  const tokens =
    prepared.vector?.tokens === undefined || isLate()
      ? new Map<number, number>()
      : matchTokens(matches, prepared.vector.tokens, {
          dimensions: prepared.vector.direction.length,
          isLate,
        });
  const shares = measureShares(prepared.vector);
  return new Map(
    matches.map(({ number, text, vector, cosine }) => [
      number,
      {
        text: shares.text * text,
        vector: shares.vector * vector,
        tokens: shares.tokens * (tokens.get(number) ?? 0),
        cosine,
      },
    ]),
  );
}

/**
 * Cosine similarities of the nearest items above the noise or about an entity that is asked for,
 * and of the given ones whatever they are.
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
  for (const [index, { number, mentions }] of measured.entries()) {
    const cosine = cosines[index] as number;
    if (given.has(number)) kept.set(number, cosine);
    else if (mentions > 0 || cosine > vector.background.noise) near.push([number, cosine]);
  }
  near.sort(([, a], [, b]) => b - a);
  for (const [number, cosine] of near.slice(0, VECTOR_CANDIDATES)) kept.set(number, cosine);
  return kept;
}

function largestOf(values: Iterable<number>): number {
  let largest = 0;
  for (const value of values) largest = Math.max(largest, value);
  return largest;
}
