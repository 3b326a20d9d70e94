export type {
  Embedder,
  EmbedOptions,
  Reading,
  TextInContext,
  TokenReading,
} from "./embedder.ts";
export { backgroundOf, measureNoise, type SimilarityBackground } from "./measure-noise.ts";
export { createEmbedder } from "./registry.ts";
export { type EmbeddingSettings, embeddingSettings } from "./settings.ts";
export { UNRELATED_SENTENCES } from "./unrelated-sentences.ts";
export { normalise, normalisedMean } from "./vector.ts";
