import type { Tx } from "../../database/index.ts";
import type { IndexedKind } from "../context/indexed-kind.ts";
import { type CandidateSet, matchText } from "../search/text-index.ts";
import { nearestBySigns, similaritiesOf } from "../search/vector-index.ts";
import type { PreparedRecall } from "./prepare-recall.ts";
import { scoreSimilarity } from "./score-similarity.ts";

/** Candidates of text and of vectors; more bring no better ranking. */
const TEXT_CANDIDATES = 200;
const VECTOR_CANDIDATES = 100;
/** A set this small is compared vector by vector. */
const SMALL_SET = 2000;
/** What a word of the context is worth beside one of the query. */
const CONTEXT_SHARE = 0.5;

export interface KindSearch {
  readonly kind: IndexedKind;
  readonly prepared: PreparedRecall;
  readonly among: CandidateSet | undefined;
  /** Candidates that are there for another reason; they are scored, not found. */
  readonly further: readonly number[];
  /** Which of these may be shown. */
  keepVisible(numbers: readonly number[]): Promise<ReadonlySet<number>>;
  /** Time is up: what was found by now must do. */
  isLate(): boolean;
}

export interface Found {
  readonly text: number;
  readonly vector: number;
  readonly cosine: number | undefined;
}

/** Items of a kind that text or vectors find, with their scores, and the further ones with theirs. */
export async function searchKind(tx: Tx, search: KindSearch): Promise<Map<number, Found>> {
  const texts = await findTexts(tx, search);
  const cosines = await findCosines(tx, search, [...texts.keys(), ...search.further]);
  const background = search.prepared.vector?.background;
  const best = Math.max(0, ...cosines.values());
  const scoreVector = (text: number, cosine: number | undefined) => {
    if (cosine === undefined || background === undefined) return 0;
    // Similarity within the noise speaks for what the text found, and finds nothing by itself.
    if (text === 0 && cosine <= background.noise) return 0;
    return scoreSimilarity(cosine, best, background);
  };
  const found = new Map<number, Found>();
  for (const number of new Set([...texts.keys(), ...cosines.keys(), ...search.further])) {
    const text = texts.get(number) ?? 0;
    const cosine = cosines.get(number);
    found.set(number, { text, cosine, vector: scoreVector(text, cosine) });
  }
  return found;
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
    const matches = await matchText(tx, { kind: search.kind, words: wanted, among: search.among });
    for (const { number, score } of await firstVisible(search, matches)) {
      scores.set(number, (scores.get(number) ?? 0) + share * score);
    }
  }
  return scores;
}

/** The first candidates that may be shown, with scores as shares of the best one's. */
async function firstVisible(
  search: KindSearch,
  matches: readonly { number: number; score: number }[],
): Promise<{ number: number; score: number }[]> {
  const kept: { number: number; score: number }[] = [];
  for (let start = 0; start < matches.length; start += TEXT_CANDIDATES) {
    const slice = matches.slice(start, start + TEXT_CANDIDATES);
    const visible = await search.keepVisible(slice.map(({ number }) => number));
    kept.push(...slice.filter(({ number }) => visible.has(number)));
    if (kept.length >= TEXT_CANDIDATES || search.isLate()) break;
  }
  const best = kept[0]?.score ?? 1;
  return kept
    .slice(0, TEXT_CANDIDATES)
    .map(({ number, score }) => ({ number, score: score / best }));
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
  const { kind, prepared, among } = search;
  const { vector } = prepared;
  if (vector === undefined || search.isLate()) return new Map();
  const small = (among?.size ?? Number.POSITIVE_INFINITY) <= SMALL_SET;
  const near = small ? [] : await nearestBySigns(tx, { kind, vector: vector.direction, among });
  const numbers = [...new Set([...near, ...given])];
  const cosines = await similaritiesOf(tx, { kind, items: numbers, vector: vector.direction });
  if (small && among !== undefined) {
    const items = among.numbers;
    const all = await similaritiesOf(tx, { kind, items, vector: vector.direction });
    for (const [number, cosine] of all) cosines.set(number, cosine);
  }
  const wanted = new Set(given);
  const nearest = [...cosines]
    .filter(([number, cosine]) => cosine > vector.background.noise && !wanted.has(number))
    .sort(([, a], [, b]) => b - a);
  const visible = await search.keepVisible(nearest.map(([number]) => number));
  const chosen = nearest.filter(([number]) => visible.has(number)).slice(0, VECTOR_CANDIDATES);
  const kept = new Map(chosen);
  for (const number of given) {
    const cosine = cosines.get(number);
    if (cosine !== undefined) kept.set(number, cosine);
  }
  return kept;
}
