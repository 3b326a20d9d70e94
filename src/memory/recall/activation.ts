import type { ContributionKind } from "./recall.schema.ts";

/** The parts of an item's activation by their origin. Their sum is its activation. */
export interface Activation extends Record<ContributionKind, number> {
  /** Similarity to the query. It is only reported and is not part of the sum. */
  cosine: number | undefined;
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
  entity = 0,
  question = 0,
  standing = 0,
}: Partial<Activation>): Activation {
  return {
    text,
    vector,
    tokens,
    cosine,
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
