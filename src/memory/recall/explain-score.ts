import type { Activation } from "./activation.ts";
import { activationOf } from "./activation.ts";
import type { Arrival } from "./arrivals.ts";
import { round } from "./rank.ts";
import { CONTRIBUTION_KINDS, type Explanation } from "./recall.schema.ts";

export function explainActivation(parts: Activation): Omit<Explanation, "contributions"> {
  return {
    activation: round(activationOf(parts)),
    text: round(parts.text),
    vector: round(parts.vector),
    tokens: round(parts.tokens),
    ...(parts.cosine !== undefined && { cosine: round(parts.cosine) }),
    ...(parts.similarity !== undefined && { similarity: round(parts.similarity) }),
    coverage: round(parts.coverage),
    rarity: round(parts.rarity),
    held: round(parts.held),
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

/** The contributions to an item's activation, largest first. The amounts add up to the activation. */
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
