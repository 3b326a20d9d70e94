import type { SimilarityBackground } from "../../embedding/index.ts";

/**
 * Scales similarity above the background to 0..1. The best match gets 1 only if it is well above
 * the noise, so that the best of poor matches remains low: the upper end is at least 2 × noise -
 * mean, which maps the noise level to 0.5.
 */
export function scoreSimilarity(
  cosine: number,
  best: number,
  { mean, noise }: SimilarityBackground,
): number {
  const range = Math.max(best, 2 * noise - mean) - mean;
  if (range <= 0) return 0;
  return Math.min(1, Math.max(0, (cosine - mean) / range));
}
