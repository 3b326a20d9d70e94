import type { SimilarityBackground } from "../../embedding/index.ts";

/**
 * Similarity above the background, 0..1: the best match counts 1 if it stands well above the noise,
 * and less if not, so that among bad matches the best one stays bad. (A floor of 2 × noise - mean
 * lets a best match that barely leaves the noise count half.)
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
