import { topK } from "../../shared/collections.ts";
import type { Activation } from "./activation.ts";

export interface Ranked<Item> {
  readonly number: number;
  readonly score: number;
  readonly item: Item;
}

export interface RankOptions {
  readonly count: number;
  /** The lowest score that is returned, 0..1. */
  readonly least: number;
}

/** Highest score first, newest first among equals. */
export function rank<Item>(
  items: Iterable<readonly [number, Item]>,
  partsOf: (item: Item) => Activation,
  { count, least }: RankOptions,
): Ranked<Item>[] {
  const ranked: Ranked<Item>[] = [];
  for (const [number, item] of items) {
    const score = round(partsOf(item).score);
    if (score > 0 && score >= least) ranked.push({ number, score, item });
  }
  return topK(ranked, count, (a, b) => b.score - a.score || b.number - a.number);
}

/** Six digits are finer than any difference in rank and remove floating-point noise. */
export function round(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

/** Below this probability an item is not shown unless `min_score` allows it. */
const MIN_SCORE = 0.15;
const MIN_SHARE_OF_BEST = 0.4;

/** The lowest score that is shown: `min_score`, or where relevance ends. */
export function lowestShown(
  minScore: number | undefined,
  activations: Iterable<Pick<Activation, "score">>,
): number {
  if (minScore !== undefined) return minScore;
  let best = 0;
  for (const { score } of activations) best = Math.max(best, score);
  return Math.max(MIN_SCORE, MIN_SHARE_OF_BEST * best);
}
