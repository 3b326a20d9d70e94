export type { Embedder, EmbedOptions } from "./embedder.ts";
export { measureNoise, type SimilarityBackground } from "./measure-noise.ts";
export { createEmbedder } from "./registry.ts";
export { type EmbeddingSettings, embeddingSettings } from "./settings.ts";
