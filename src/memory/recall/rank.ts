import { firstOf } from "../../kernel/first-of.ts";
import type { Activation } from "./activation.ts";

/** The sum of what reaches an item. */
export function activationOf(parts: Activation): number {
  const own = parts.text + parts.vector + parts.tokens + parts.entity + parts.date + parts.question;
  const lent = parts.session + parts.neighbours + parts.evidence + parts.relations;
  return own + lent + parts.echo + parts.standing + parts.voice + parts.steps;
}

/**
 * 0..1, rising with the activation: the continuous form of the noisy-or of independent reasons, as
 * far as memory knows of what is asked (`certaintyOf`).
 */
export function scoreOf(parts: Activation, certainty: number): number {
  return Math.max(0, round(certainty * (1 - Math.exp(-activationOf(parts)))));
}

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

/** Six digits are finer than any ranking means, and end floating-point noise. */
export function round(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
