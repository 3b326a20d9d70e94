import type { Embedder, Reading, SimilarityBackground } from "../../embedding/index.ts";
import { TokenQuery } from "./token-query.ts";

export interface QueryVectors {
  /** L2-normalised, one for each text. */
  readonly vectors: readonly Float32Array[];
  readonly background: SimilarityBackground;
  /** True if the stored vectors depend on the text before theirs. */
  readonly contextual: boolean;
  /** The tokens of the first text, if the embedder returns tokens. */
  readonly tokens: QueryTokens | undefined;
}

export interface QueryTokens {
  readonly query: TokenQuery;
  readonly background: SimilarityBackground;
}

export async function readQueries(
  embedder: Embedder,
  texts: readonly string[],
  signal: AbortSignal | undefined,
) {
  if (embedder.read === undefined) {
    const vectors = await embedder.embed(texts, { signal, role: "query" });
    return { vectors, reading: undefined };
  }
  const readings = await embedder.read(
    texts.map((text) => ({ text, before: "" })),
    { signal, role: "query" },
  );
  return { vectors: readings.map(({ vector }) => vector), reading: readings[0] };
}

export function queryTokens(
  reading: Reading | undefined,
  background: SimilarityBackground | undefined,
): QueryTokens | undefined {
  if (reading === undefined || background === undefined) return undefined;
  const query = prepared.get(reading) ?? new TokenQuery(reading);
  prepared.set(reading, query);
  return { query, background };
}

const prepared = new WeakMap<Reading, TokenQuery>();
