import type { Embedder } from "../embedder.ts";
import { findModelFolder } from "../minilm/find-model-folder.ts";
import type { EncoderModel } from "../onnx/load-model.ts";
import type { ModelFolder } from "../onnx/model-folder.ts";
import { type OnnxEmbedder, onnxEmbedder } from "../onnx/onnx-embedder.ts";

/**
 * Identifies the vectors, not the file: the first digits of the SHA-256 of the graph that first
 * computed them. A test compares the bundled graph with its recorded vectors.
 */
const MINILM_IDENTITY = "minilm-l6-v2-u8:2b357389cc1e";
const WINDOW_TOKENS = 256;

export function createMinilm(
  options?: Pick<OnnxEmbedder, "workers">,
  load?: () => Promise<EncoderModel>,
): Embedder {
  return onnxEmbedder({
    identity: MINILM_IDENTITY,
    hasRoles: false,
    folder: minilmFolder,
    ...(load !== undefined && { load }),
    workers: options?.workers,
    name: "the bundled model",
    cure: "reinstall cairn-memory, which includes it, or choose another embedding.provider (onnx, ollama, openai-compatible, none)",
  });
}

function minilmFolder(): ModelFolder {
  return {
    path: findModelFolder(),
    model: "model.onnx",
    pooling: "mean",
    transforms: false,
    windowTokens: WINDOW_TOKENS,
    dimensions: undefined,
    prefixes: { query: "", passage: "" },
    isOptimized: true,
  };
}
