import type { Explanation } from "./recall.schema.ts";

/** What reaches an item, by where it comes from; the sum is its activation. */
export interface Activation {
  text: number;
  vector: number;
  cosine: number | undefined;
  entity: number;
  session: number;
  neighbours: number;
  evidence: number;
  relations: number;
}

export const NO_ACTIVATION: Readonly<Activation> = {
  text: 0,
  vector: 0,
  cosine: undefined,
  entity: 0,
  session: 0,
  neighbours: 0,
  evidence: 0,
  relations: 0,
};

export function activationOf(parts: Activation): number {
  const { text, vector, entity, session, neighbours, evidence, relations } = parts;
  return text + vector + entity + session + neighbours + evidence + relations;
}

/** 0..1, rising with the activation: the continuous form of the noisy-or of independent reasons. */
export function scoreOf(parts: Activation): number {
  return round(1 - Math.exp(-activationOf(parts)));
}

export function explainActivation(parts: Activation): Explanation {
  return {
    activation: round(activationOf(parts)),
    text: round(parts.text),
    vector: round(parts.vector),
    ...(parts.cosine !== undefined && { cosine: round(parts.cosine) }),
    entity: parts.entity,
    session: round(parts.session),
    neighbours: round(parts.neighbours),
    evidence: round(parts.evidence),
    relations: round(parts.relations),
  };
}

/** Six digits are finer than any ranking means, and end floating-point noise. */
function round(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
