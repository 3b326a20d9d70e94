import type { Embedder } from "./embedder.ts";
import { createMinilm } from "./providers/minilm.ts";
import { createNone } from "./providers/none.ts";
import { createOllama } from "./providers/ollama.ts";
import { createOnnx } from "./providers/onnx.ts";
import { createOpenAiCompatible } from "./providers/openai-compatible.ts";
import type { EmbeddingProvider, EmbeddingSettings } from "./settings.ts";

/** Throws invalid_input if a required setting is missing or invalid. Loads no model. */
type EmbedderFactory = (settings: EmbeddingSettings) => Embedder | null;

const PROVIDERS: Readonly<Record<EmbeddingProvider, EmbedderFactory>> = {
  minilm: () => createMinilm(),
  onnx: createOnnx,
  "openai-compatible": createOpenAiCompatible,
  ollama: createOllama,
  none: createNone,
};

export function createEmbedder(settings: EmbeddingSettings): Embedder | null {
  return PROVIDERS[settings.provider](settings);
}
