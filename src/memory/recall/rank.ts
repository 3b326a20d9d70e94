import { topK } from "../../shared/collections.ts";
import type { Activation } from "./activation.ts";

/** The sum of all parts of an activation. */
export function activationOf(parts: Activation): number {
  const own = parts.text + parts.vector + parts.tokens + parts.entity + parts.date + parts.question;
  const lent = parts.session + parts.neighbours + parts.evidence + parts.relations;
  return own + lent + parts.echo + parts.standing + parts.voice + parts.steps;
}

/**
 * The score, 0..1, grows with the activation like a noisy-or of independent reasons, and is
 * multiplied by the certainty (`certaintyOf`).
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
  /** The lowest score that is returned, 0..1. */
  readonly least: number;
  /** Certainty of the query, 0..1: see `certaintyOf`. */
  readonly certainty: number;
}

/** Highest score first, newest first among equals. Items without activation are left out. */
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
  return topK(ranked, count, (a, b) => b.score - a.score || b.number - a.number);
}

/** Six digits are finer than any difference in rank and remove floating-point noise. */
export function round(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
