export type {
  Embedder,
  EmbedOptions,
  Reading,
  SignedReading,
  TextInContext,
  TokenReading,
} from "./embedder.ts";
export {
  computeBackground,
  encodeTokenSigns,
  measureBackground,
  normalise,
  normalisedMean,
  type SimilarityBackground,
  signBits,
  signedReading,
  UNRELATED_SENTENCES,
} from "./embedder.ts";
export { createEmbedder } from "./registry.ts";
export { type EmbeddingSettings, embeddingSettings } from "./settings.ts";
