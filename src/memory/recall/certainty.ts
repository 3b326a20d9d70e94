import type { PreparedRecall } from "./prepare-recall.ts";
import { measureShares } from "./prepare-recall.ts";
import type { Activation } from "./rank.ts";

/**
 * Similarity of the best match as a share of a match well above the noise: 1 is twice as far from the
 * background as the noise is, 0.5 is the noise itself. The best of hundreds of unrelated items often exceeds
 * the noise a little, so doubt begins well above it.
 */
const UNKNOWN_BELOW = 0.65;
const KNOWN_FROM = 0.95;
/** What remains of a score when the subject is unknown: ranks stay, and `min_score` can cut. */
const MIN_ITEMS = 0.25;

/**
 * How certain it is that memory knows the subject of the query, 0.25..1. Matches are ranked against each
 * other, so even the best of bad ones would look good; every score is multiplied by this. An entity that the
 * query names counts as known, and so does a time that is all it names. 1 if similarity was not measured, or
 * not for everything.
 */
export function certaintyOf(
  activated: Iterable<Activation>,
  prepared: Pick<PreparedRecall, "vector" | "missingVectors" | "time">,
): number {
  const likeness = bestSimilarity(activated, prepared);
  if (likeness === undefined) return 1;
  const share = (likeness - UNKNOWN_BELOW) / (KNOWN_FROM - UNKNOWN_BELOW);
  return MIN_ITEMS + (1 - MIN_ITEMS) * Math.min(1, Math.max(0, share));
}

/** Likeness of what counts as known, however little it resembles the query. */
const KNOWN = Number.POSITIVE_INFINITY;

/** The best likeness, 0..1, or `KNOWN`; undefined where nothing was there to be measured. */
function bestSimilarity(
  activated: Iterable<Activation>,
  { vector, missingVectors, time }: Pick<PreparedRecall, "vector" | "missingVectors" | "time">,
): number | undefined {
  if (vector === undefined || missingVectors > 0) return KNOWN;
  const shares = measureShares(vector);
  let best = 0;
  let wasMeasured = false;
  for (const { entity, date, tokens, vector: likeness, cosine } of activated) {
    if (entity > 0 || (date > 0 && time?.isAlone === true)) return KNOWN;
    wasMeasured ||= cosine !== undefined;
    best = Math.max(
      best,
      shares.tokens === 0 ? 0 : tokens / shares.tokens,
      likeness / shares.vector,
    );
  }
  return wasMeasured ? best : undefined;
}
