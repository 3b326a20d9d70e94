import type { Embedder, Reading, SimilarityBackground } from "../../embedding/index.ts";
import {
  computeBackground,
  type EmbedOptions,
  encodeTokenSigns,
  normalise,
  type TokenReading,
  UNRELATED_SENTENCES,
} from "../../embedding/index.ts";
import { isStopWord } from "./query-words.ts";
import { type BestProducts, computeBestProducts } from "./simd/best-products.ts";

const MINOR_WEIGHT = 0.3;
const WORDLESS_TOKEN = /^[^\p{L}\p{N}]*$/u;

/**
 * A query prepared for comparison with stored token signs (late interaction, Khattab and Zaharia
 * 2020): each query token finds the most similar text token, and the similarity is their weighted
 * mean. Signs represent unit vectors.
 */
export class TokenQuery {
  readonly reading: Reading;
  readonly #bestProducts: BestProducts;
  readonly #weights: readonly number[];
  readonly #totalWeight: number;

  constructor(reading: Reading) {
    const { tokens } = reading;
    this.reading = reading;
    const bytes = Math.ceil((tokens[0]?.vector.length ?? 0) / 8);
    const vectors = tokens.map(({ vector }) => normalise(vector));
    this.#bestProducts = computeBestProducts(vectors, bytes);
    this.#weights = tokens.map(tokenWeight);
    this.#totalWeight = this.#weights.reduce((sum, weight) => sum + weight, 0);
  }

  similarities(texts: readonly Uint8Array[]): (number | undefined)[] {
    if (this.#totalWeight === 0) return texts.map(() => undefined);
    const best = this.#bestProducts(texts);
    return texts.map(({ length }, text) => {
      if (length === 0) return undefined;
      let total = 0;
      for (const [token, weight] of this.#weights.entries()) {
        total += weight * (best[text * this.#weights.length + token] as number);
      }
      return total / this.#totalWeight;
    });
  }
}

function tokenWeight({ text }: TokenReading): number {
  return isStopWord(text) || WORDLESS_TOKEN.test(text) ? MINOR_WEIGHT : 1;
}

/** Measures the token similarity of unrelated texts; undefined without tokens. */
export async function measureTokenBackground(
  embedder: Embedder,
  options: EmbedOptions = {},
): Promise<SimilarityBackground | undefined> {
  const texts = UNRELATED_SENTENCES.map((text) => ({ text, before: "" }));
  const readings = (await embedder.read?.(texts, options)) ?? [];
  if (readings.every(({ tokens }) => tokens.length === 0)) return undefined;
  const asking =
    embedder.hasRoles === true && embedder.read !== undefined
      ? await embedder.read(texts, { ...options, role: "query" })
      : readings;
  const signs = readings.map(encodeTokenSigns);
  return computeBackground(
    asking.flatMap((reading, asker) =>
      new TokenQuery(reading)
        .similarities(signs.toSpliced(asker, 1))
        .map((similarity = 0) => similarity),
    ),
  );
}

export interface QueryVectors {
  readonly vectors: readonly Float32Array[];
  readonly background: SimilarityBackground;
  readonly contextual: boolean;
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

export function prepareQueryTokens(
  reading: Reading | undefined,
  background: SimilarityBackground | undefined,
): QueryTokens | undefined {
  if (reading === undefined || background === undefined) return undefined;
  const query = prepared.get(reading) ?? new TokenQuery(reading);
  prepared.set(reading, query);
  return { query, background };
}

const prepared = new WeakMap<Reading, TokenQuery>();
