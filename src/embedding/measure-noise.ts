import type { Embedder, EmbedOptions } from "./embedder.ts";
import { UNRELATED_SENTENCES } from "./unrelated-sentences.ts";
import { cosine } from "./vector.ts";

/**
 * The cosine similarity below which a match says nothing: the 99th percentile over all pairs of
 * sentences that have nothing to do with each other. A property of the model, in 0..1.
 */
export async function measureNoise(
  embedder: Embedder,
  options: EmbedOptions = {},
): Promise<number> {
  const vectors = await embedder.embed(UNRELATED_SENTENCES, options);
  const similarities = vectors.flatMap((vector, i) =>
    vectors.slice(i + 1).map((other) => cosine(vector, other)),
  );
  similarities.sort((a, b) => a - b);
  const noise = similarities[Math.floor(similarities.length * 0.99)] ?? 0;
  return Math.min(1, Math.max(0, noise));
}
