import type { ContributionKind } from "./recall.schema.ts";

/** The parts of an item's activation by their origin. Their sum is its activation. */
export interface Activation extends Record<ContributionKind, number> {
  /** Similarity to the query. It is only reported and is not part of the sum. */
  cosine: number | undefined;
  /** Late-interaction similarity to the query; only reported. */
  similarity: number | undefined;
  /** Weight of the query's words that the item contains, relative to all of them, 0..1. */
  coverage: number;
  /** Weight of the rarest of these words, relative to a word that occurs nowhere. */
  rarity: number;
  /** Sum of these weights. */
  held: number;
  /** True if it is a turn of a session. */
  isTurn: boolean;
  /** The item that the strongest explicit edge led from, and the part of its score that crosses the edge. */
  lender: Lender | undefined;
  /** The probability that it is relevant; 0 until `scoreItems` computes it. */
  score: number;
}

export interface Lender {
  readonly kind: "episode" | "concept";
  readonly number: number;
  readonly share: number;
}

/**
 * An activation with only these parts, the rest 0. All activations are made here, since objects of one shape
 * are fastest.
 */
export function activationBy({
  text = 0,
  vector = 0,
  tokens = 0,
  cosine,
  similarity,
  entity = 0,
  question = 0,
  standing = 0,
  isTurn = false,
}: Partial<Activation>): Activation {
  return {
    text,
    vector,
    tokens,
    cosine,
    similarity,
    coverage: 0,
    rarity: 0,
    held: 0,
    isTurn,
    lender: undefined,
    score: 0,
    entity,
    date: 0,
    session: 0,
    neighbours: 0,
    evidence: 0,
    relations: 0,
    question,
    echo: 0,
    standing,
    voice: 0,
    steps: 0,
  };
}

export const NO_ACTIVATION: Readonly<Activation> = activationBy({});

/** The sum of all parts of an activation. */
export function activationOf(parts: Activation): number {
  const own = parts.text + parts.vector + parts.tokens + parts.entity + parts.date + parts.question;
  const lent = parts.session + parts.neighbours + parts.evidence + parts.relations;
  return own + lent + parts.echo + parts.standing + parts.voice + parts.steps;
}
