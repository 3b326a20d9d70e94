export type {
  Embedder,
  EmbedOptions,
  Reading,
  SignedReading,
  TextInContext,
  TokenReading,
} from "./embedder.ts";
export { backgroundOf, measureNoise, type SimilarityBackground } from "./measure-noise.ts";
export { createEmbedder } from "./registry.ts";
export { type EmbeddingSettings, embeddingSettings } from "./settings.ts";
export { encodeTokenSigns, signedReading } from "./token-signs.ts";
export { UNRELATED_SENTENCES } from "./unrelated-sentences.ts";
export { normalise, normalisedMean, signBits } from "./vector.ts";
