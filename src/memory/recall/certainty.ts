import type { PreparedRecall } from "./prepare-recall.ts";
import { measureWeights } from "./prepare-recall.ts";
import type { Activation } from "./rank.ts";

/**
 * Threshold for the best match's similarity relative to a match well above noise: 0.5 is the noise
 * level, 1 is twice as far from the background. The best of hundreds of unrelated items often
 * exceeds the noise slightly.
 */
const UNKNOWN_THRESHOLD = 0.65;
const KNOWN_THRESHOLD = 0.95;
/** Minimum factor for unknown subjects, which preserves the order and lets `min_score` filter. */
const MIN_ITEMS = 0.25;

/**
 * Estimates the probability that memory covers the query's subject, 0.25..1. Relative ranking makes
 * even poor matches look good, so every score is multiplied by this. An entity in the query counts
 * as known, as does a time if the query contains nothing else. 1 if similarity was not measured or
 * only in part.
 */
export function computeCertainty(
  activated: Iterable<Activation>,
  prepared: Pick<PreparedRecall, "vector" | "missingVectors" | "time">,
): number {
  const similarity = bestSimilarity(activated, prepared);
  if (similarity === undefined) return 1;
  const share = (similarity - UNKNOWN_THRESHOLD) / (KNOWN_THRESHOLD - UNKNOWN_THRESHOLD);
  return MIN_ITEMS + (1 - MIN_ITEMS) * Math.min(1, Math.max(0, share));
}

/** Similarity of subjects that are known regardless of vectors. */
const KNOWN_CERTAINTY = Number.POSITIVE_INFINITY;

function bestSimilarity(
  activated: Iterable<Activation>,
  { vector, missingVectors, time }: Pick<PreparedRecall, "vector" | "missingVectors" | "time">,
): number | undefined {
  if (vector === undefined || missingVectors > 0) return KNOWN_CERTAINTY;
  const shares = measureWeights(vector);
  let best = 0;
  let wasMeasured = false;
  for (const { entity, date, tokens, vector, cosine } of activated) {
    if (entity > 0 || (date > 0 && time?.isAlone === true)) return KNOWN_CERTAINTY;
    wasMeasured ||= cosine !== undefined;
    best = Math.max(best, shares.tokens === 0 ? 0 : tokens / shares.tokens, vector / shares.vector);
  }
  return wasMeasured ? best : undefined;
}
