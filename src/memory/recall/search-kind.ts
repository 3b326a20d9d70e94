import type { Tx } from "../../database/index.ts";
import type { IndexedKind } from "../context/indexed-kind.ts";
import { usingPart } from "../search/derived-damage.ts";
import { matchText } from "../search/text-index.ts";
import { fewWithVectors, nearestBySigns, similaritiesOf } from "../search/vector-index.ts";
import type { Visibility } from "../search/visibility.ts";
import { matchTokens, type TokenCandidate } from "./match-tokens.ts";
import type { PreparedRecall } from "./prepare-recall.ts";
import { scoreSimilarity } from "./score-similarity.ts";

/** Of the text and of the vectors; more bring no better ranking. */
const TEXT_CANDIDATES = 200;
const VECTOR_CANDIDATES = 100;
/** So many of each part where only some of the items may be shown. */
const NEIGHBOURS_FOR_A_PART = 16;
/** What a word of the context is worth beside one of the query. */
const CONTEXT_SHARE = 0.5;

export interface KindSearch {
  readonly kind: IndexedKind;
  readonly prepared: PreparedRecall;
  /** Numbers of the only items that may be found, where they are few: all are compared. */
  readonly among: readonly number[] | undefined;
  /** Which items may be shown. */
  readonly visible: Visibility;
  /** Candidates that are there for another reason and may be shown; they are scored, not found. */
  readonly further: readonly number[];
  /** Time is up: what was found by now must do. */
  isLate(): boolean;
}

export interface Found {
  readonly text: number;
  readonly vector: number;
  readonly tokens: number;
  readonly cosine: number | undefined;
}

/** Items of a kind that text or vectors find, with their scores, and the further ones with theirs. */
export async function searchKind(tx: Tx, search: KindSearch): Promise<Map<number, Found>> {
  const texts = await usingPart("text index", () => findTexts(tx, search));
  const given = [...texts.keys(), ...search.further];
  const cosines = await usingPart("vectors", () => findCosines(tx, search, given));
  const background = search.prepared.vector?.background;
  const best = Math.max(0, ...cosines.values());
  const scoreVector = (text: number, cosine: number | undefined) => {
    if (cosine === undefined || background === undefined) return 0;
    // Similarity within the noise speaks for what the text found, and finds nothing by itself.
    if (text === 0 && cosine <= background.noise) return 0;
    return scoreSimilarity(cosine, best, background);
  };
  const numbers = new Set([...texts.keys(), ...cosines.keys(), ...search.further]);
  const candidates = Array.from(numbers, (number) => {
    const text = texts.get(number) ?? 0;
    const cosine = cosines.get(number);
    return { number, text, cosine, vector: scoreVector(text, cosine) };
  });
  const tokens = await findTokens(tx, search, candidates);
  return new Map(
    candidates.map(({ number, ...match }) => [
      number,
      { ...match, tokens: tokens.get(number) ?? 0 },
    ]),
  );
}

async function findTokens(
  tx: Tx,
  { kind, prepared: { vector }, isLate }: KindSearch,
  candidates: readonly TokenCandidate[],
): Promise<ReadonlyMap<number, number>> {
  if (vector?.tokens === undefined || isLate()) return new Map();
  const bytes = Math.ceil(vector.direction.length / 8);
  return matchTokens(tx, kind, { tokens: vector.tokens, candidates, bytes });
}

/** The best text matches that may be shown: share of the best score by number. */
async function findTexts(tx: Tx, search: KindSearch): Promise<Map<number, number>> {
  const { words, contextWords } = search.prepared;
  const scores = new Map<number, number>();
  for (const { words: wanted, share } of [
    { words, share: 1 },
    { words: contextWords, share: CONTEXT_SHARE },
  ]) {
    if (wanted.length === 0 || search.isLate()) continue;
    const { kind, among, visible } = search;
    const most = TEXT_CANDIDATES;
    const matches = await matchText(tx, { kind, words: wanted, among, visible, most });
    const best = matches[0]?.score ?? 1;
    for (const { number, score } of matches) {
      scores.set(number, (scores.get(number) ?? 0) + (share * score) / best);
    }
  }
  return scores;
}

/**
 * Cosine similarities of the nearest items above the noise, and of the given ones whatever they
 * are.
 */
async function findCosines(
  tx: Tx,
  search: KindSearch,
  given: readonly number[],
): Promise<Map<number, number>> {
  const { kind, prepared, among, visible } = search;
  const { vector } = prepared;
  if (vector === undefined || search.isLate()) return new Map();
  const direction = vector.direction;
  const ofAPart = visible.isPart ? NEIGHBOURS_FOR_A_PART : undefined;
  const near =
    among ??
    (await fewWithVectors(tx, kind)) ??
    (await nearestBySigns(tx, { kind, vector: direction, ofAPart }));
  const items = [...new Set([...near, ...given])];
  const cosines = await similaritiesOf(tx, { kind, items, vector: direction, visible });
  const wanted = new Set(given);
  const nearest = [...cosines]
    .filter(([number, cosine]) => cosine > vector.background.noise && !wanted.has(number))
    .sort(([, a], [, b]) => b - a)
    .slice(0, VECTOR_CANDIDATES);
  const kept = new Map(nearest);
  for (const number of given) {
    const cosine = cosines.get(number);
    if (cosine !== undefined) kept.set(number, cosine);
  }
  return kept;
}
