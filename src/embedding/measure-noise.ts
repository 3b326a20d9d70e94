import type { Embedder, EmbedOptions } from "./embedder.ts";
import { UNRELATED_SENTENCES } from "./unrelated-sentences.ts";
import { cosine } from "./vector.ts";

/** How similar a model finds unrelated texts; 0 <= mean <= noise <= 1. */
export interface SimilarityBackground {
  readonly mean: number;
  /** Cosine similarity below which a match says nothing: the 99th percentile. */
  readonly noise: number;
}

/**
 * Measures all pairs of unrelated sentences. The result is a property of the model, not of any
 * data.
 */
export async function measureNoise(
  embedder: Embedder,
  options: EmbedOptions = {},
): Promise<SimilarityBackground> {
  const vectors = await embedder.embed(UNRELATED_SENTENCES, options);
  const asking =
    embedder.hasRoles === true
      ? await embedder.embed(UNRELATED_SENTENCES, { ...options, role: "query" })
      : vectors;
  return backgroundOf(
    asking.flatMap((vector, i) => vectors.slice(i + 1).map((other) => cosine(vector, other))),
  );
}

/** The background, computed from the similarities of unrelated pairs. */
export function backgroundOf(measured: readonly number[]): SimilarityBackground {
  const similarities = measured.toSorted((a, b) => a - b);
  const sum = similarities.reduce((total, similarity) => total + similarity, 0);
  const noise = clamp(similarities[Math.floor(similarities.length * 0.99)] ?? 0);
  const mean = clamp(sum / Math.max(1, similarities.length));
  return { mean: Math.min(mean, noise), noise };
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}
