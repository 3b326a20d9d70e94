import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { invalidInput } from "../shared/errors.ts";
import type { Embedder } from "./embedder.ts";
import { findModelFolder } from "./minilm/find-model-folder.ts";
import type { EncoderModel } from "./onnx/load-model.ts";
import { computeIdentity, type ModelFolder, readModelFolder } from "./onnx/model-folder.ts";
import { createOnnxEmbedder, type OnnxEmbedder } from "./onnx/onnx-embedder.ts";
import { joinEndpoint } from "./remote/endpoint.ts";
import { postJson } from "./remote/post-json.ts";
import { createRemoteEmbedder } from "./remote/remote-embedder.ts";
import type { EmbeddingProvider, EmbeddingSettings } from "./settings.ts";

const OPENAI_BASE_URL = "https://api.openai.com/v1";

/** Any server with `POST <baseUrl>/embeddings`. Windows are well below the usual 8 191 tokens. */
function createOpenAiCompatible(settings: EmbeddingSettings): Embedder {
  const { model, baseUrl = OPENAI_BASE_URL, apiKey } = settings;
  if (model === undefined) {
    throw invalidInput(
      "embedding.model is missing; name the server's embedding model, e.g. text-embedding-3-small",
    );
  }
  return createRemoteEmbedder({
    identity: `openai-compatible:${model}`,
    windowBytes: 8_192,
    async request(pieces, { signal }) {
      const answer = await postJson({
        url: joinEndpoint(baseUrl, "embeddings"),
        body: { model, input: pieces, encoding_format: "float" },
        apiKey,
        signal,
      });
      return embeddingsInOrder(answer);
    },
  });
}

function embeddingsInOrder(answer: unknown): unknown {
  const data = (answer as { data?: unknown } | null)?.data;
  if (!Array.isArray(data)) return undefined;
  const rows = data as ({ index?: number; embedding?: unknown } | null)[];
  return rows
    .map((row, position) => ({ index: row?.index ?? position, embedding: row?.embedding }))
    .sort((a, b) => a.index - b.index)
    .map((row) => row.embedding);
}

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
  return createOnnxEmbedder({
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
    hasInt8Weights: true,
  };
}

function createOnnx({ folder: value }: EmbeddingSettings): Embedder {
  const path = value?.replace(/^~(?=[/\\])/, homedir());
  if (path === undefined) {
    throw invalidInput(
      "embedding.folder is missing; set it to the folder that contains model.onnx and tokenizer.json",
    );
  }
  if (!isAbsolute(path)) {
    throw invalidInput(
      `embedding.folder "${path}" must be an absolute path; write ${join(process.cwd(), path)}`,
    );
  }
  const folder = readModelFolder(path);
  const { query, passage } = folder.prefixes;
  return createOnnxEmbedder({
    identity: computeIdentity(folder),
    hasRoles: query !== passage,
    folder: () => folder,
    name: `the model in ${path}`,
    cure: "export it again (docs/guides/embedding-models.md) or choose another embedding.provider",
  });
}

const OLLAMA_BASE_URL = "http://127.0.0.1:11434";
const OLLAMA_MODEL = "nomic-embed-text";

/** A local Ollama server. Texts are split to fit the 512 tokens of its smaller models. */
function createOllama(settings: EmbeddingSettings): Embedder {
  const { model = OLLAMA_MODEL, baseUrl = OLLAMA_BASE_URL, apiKey } = settings;
  return createRemoteEmbedder({
    identity: `ollama:${model}`,
    windowBytes: 1_536,
    async request(pieces, { signal }) {
      const answer = await postJson({
        url: joinEndpoint(baseUrl, "api/embed"),
        body: { model, input: pieces },
        apiKey,
        signal,
      });
      return (answer as { embeddings?: unknown } | null)?.embeddings;
    },
  });
}

function createNone(): null {
  return null;
}

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
