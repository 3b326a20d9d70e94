import type { SimilarityBackground } from "../../embedding/index.ts";

/**
 * Similarity above the background, 0..1. The best match gets 1 if it stands well above the noise,
 * and less otherwise, so that the best of bad matches stays low. (The upper end is at least 2 ×
 * noise - mean, which gives a match at the level of the noise 0.5.)
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
