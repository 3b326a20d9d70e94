import type { Embedder } from "../embedder.ts";
import { endpoint } from "../remote/endpoint.ts";
import { postJson } from "../remote/post-json.ts";
import { remoteEmbedder } from "../remote/remote-embedder.ts";
import type { EmbeddingSettings } from "../settings.ts";

const DEFAULT_BASE_URL = "http://127.0.0.1:11434";
const DEFAULT_MODEL = "nomic-embed-text";

/** A local Ollama server. Texts are split to fit the 512 tokens of its smaller models. */
export function createOllama(settings: EmbeddingSettings): Embedder {
  const { model = DEFAULT_MODEL, baseUrl = DEFAULT_BASE_URL, apiKey } = settings;
  return remoteEmbedder({
    identity: `ollama:${model}`,
    windowBytes: 1_536,
    async request(pieces, { signal }) {
      const answer = await postJson({
        url: endpoint(baseUrl, "api/embed"),
        body: { model, input: pieces },
        apiKey,
        signal,
      });
      return (answer as { embeddings?: unknown } | null)?.embeddings;
    },
  });
}
