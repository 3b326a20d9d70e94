import type { Arrival } from "./arrivals.ts";
import { CONTRIBUTION_KINDS, type ContributionKind, type Explanation } from "./recall.schema.ts";

/** What reaches an item, by where it comes from; the sum is its activation. */
export interface Activation extends Record<ContributionKind, number> {
  /** Similarity to the query, which tells and is no part of the sum. */
  cosine: number | undefined;
}

/** Nothing but these parts. All are made here, since objects of one shape are the quickest. */
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

export function explainActivation(parts: Activation): Omit<Explanation, "contributions"> {
  return {
    activation: round(activationOf(parts)),
    text: round(parts.text),
    vector: round(parts.vector),
    tokens: round(parts.tokens),
    ...(parts.cosine !== undefined && { cosine: round(parts.cosine) }),
    entity: parts.entity,
    date: round(parts.date),
    session: round(parts.session),
    neighbours: round(parts.neighbours),
    evidence: round(parts.evidence),
    relations: round(parts.relations),
    question: round(parts.question),
    echo: round(parts.echo),
    standing: round(parts.standing),
    voice: round(parts.voice),
    steps: round(parts.steps),
  };
}

/** An item's activation by what it came from, the largest first; the amounts add up to it. */
export function contributionsOf(
  parts: Activation,
  arrivals: readonly Arrival[],
  idOf: (from: Arrival["from"]) => string | undefined,
): Explanation["contributions"] {
  const kinds = CONTRIBUTION_KINDS.filter((kind) => parts[kind] !== 0);
  return kinds
    .flatMap((kind) => {
      const arrived = arrivals.filter((arrival) => arrival.kind === kind);
      if (arrived.length === 0) return [{ kind, from: "query", amount: round(parts[kind]) }];
      return arrived.map(({ from, amount }) => ({
        kind,
        from: idOf(from) ?? "query",
        amount: round(amount),
      }));
    })
    .sort((a, b) => b.amount - a.amount);
}

/** Six digits are finer than any ranking means, and end floating-point noise. */
function round(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
