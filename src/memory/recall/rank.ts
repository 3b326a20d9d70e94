import { firstOf } from "../../kernel/first-of.ts";
import { type Activation, scoreOf } from "./activation.ts";

export interface Ranked<Item> {
  readonly number: number;
  readonly score: number;
  readonly item: Item;
}

export interface RankOptions {
  readonly count: number;
  /** Least score, 0..1. */
  readonly least: number;
  /** Of the query, 0..1: see `certaintyOf`. */
  readonly certainty: number;
}

/** The highest scores first, newest first among equals; nothing without activation. */
export function rank<Item>(
  items: Iterable<readonly [number, Item]>,
  partsOf: (item: Item) => Activation,
  { count, least, certainty }: RankOptions,
): Ranked<Item>[] {
  const ranked: Ranked<Item>[] = [];
  for (const [number, item] of items) {
    const score = scoreOf(partsOf(item), certainty);
    if (score > 0 && score >= least) ranked.push({ number, score, item });
  }
  return firstOf(ranked, count, (a, b) => b.score - a.score || b.number - a.number);
}
