import { invalidInput } from "../../shared/errors.ts";
import type { Embedder } from "../embedder.ts";
import { endpoint } from "../remote/endpoint.ts";
import { postJson } from "../remote/post-json.ts";
import { remoteEmbedder } from "../remote/remote-embedder.ts";
import type { EmbeddingSettings } from "../settings.ts";

const DEFAULT_BASE_URL = "https://api.openai.com/v1";

/** Any server with `POST <baseUrl>/embeddings`. Windows are well below the usual 8 191 tokens. */
export function createOpenAiCompatible(settings: EmbeddingSettings): Embedder {
  const { model, baseUrl = DEFAULT_BASE_URL, apiKey } = settings;
  if (model === undefined) {
    throw invalidInput(
      "embedding.model is missing; name the server's embedding model, e.g. text-embedding-3-small",
    );
  }
  return remoteEmbedder({
    identity: `openai-compatible:${model}`,
    windowBytes: 8_192,
    async request(pieces, { signal }) {
      const answer = await postJson({
        url: endpoint(baseUrl, "embeddings"),
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
