import { topK } from "../../shared/collections.ts";
import type { Activation } from "./rank.ts";
import { computeActivation } from "./rank.ts";

const ORDER_PHRASES = [
  String.raw`\b(?:in (?:what|which) order|order (?:in which|that|of (?:events|steps))|in order(?=[.,;!?]|$)|(?:in|by) (?:the )?order of (?:time|date)|sequence of (?:events|steps|changes)|chronolog\w+|timeline)\b`,
  String.raw`\b(?:Reihenfolge|chronologisch\w*|nacheinander|dans quel ordre|ordre (?:dans lequel|chronologique)|chronologie|en qué orden|orden (?:en (?:el )?que|cronológico)|cronología|in (?:che|quale) ordine|ordine (?:in cui|cronologico)|em que ordem|ordem (?:em que|cronológica)|volgorde|kolejnoś\w+|chronologiczn\w+)`,
  "(?:в каком порядке|последовательност|хронолог|顺序|先后|順番|順序|時系列|순서|시간순)",
];
const PATTERN = new RegExp(ORDER_PHRASES.join("|"), "iu");

/** Returns true if a query asks for steps in order rather than the most similar items. */
export function isOrderQuery(query: string): boolean {
  return PATTERN.test(query);
}

const STEP_PENALTY = 0.6;
/** Distance in a session at which the penalty has fallen to a third. */
const STEP_SPACING = 7;
/** Number of episodes reordered; lower ones match too weakly. */
const MAX_ITEMS = 100;

/**
 * Diversifies steps: an episode near a higher-ranked one loses activation (maximal marginal
 * relevance with distance in time as similarity). Only changes the order.
 */
export function diversifySteps(
  episodes: ReadonlyMap<number, Activation>,
  sessions: ReadonlyMap<number, string>,
): void {
  const activated = Array.from(episodes, ([number, parts]) => ({
    number,
    parts,
    session: sessions.get(number),
    activation: computeActivation(parts),
  })).filter(({ activation }) => activation > 0);
  const left = topK(
    activated,
    MAX_ITEMS,
    (a, b) => b.activation - a.activation || b.number - a.number,
  );
  while (left.length > 0) {
    const best = left.reduce((a, b) => (remainingActivation(b) > remainingActivation(a) ? b : a));
    left.splice(left.indexOf(best), 1);
    for (const other of left) {
      if (best.session === undefined || other.session !== best.session) continue;
      const distance = Math.abs(other.number - best.number);
      const loss = STEP_PENALTY * Math.exp(-distance / STEP_SPACING);
      // The penalty is at most half, so that the episode is still found.
      const limit = other.activation / 2;
      other.parts.steps = Math.min(other.parts.steps, -Math.min(loss, limit));
    }
  }
}

function remainingActivation({
  parts,
  activation,
}: {
  parts: Activation;
  activation: number;
}): number {
  return activation + parts.steps;
}
