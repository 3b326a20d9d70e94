import {
  backgroundOf,
  type Embedder,
  type EmbedOptions,
  encodeTokenSigns,
  type SimilarityBackground,
  UNRELATED_SENTENCES,
} from "../../embedding/index.ts";
import { TokenQuery } from "./token-query.ts";

/**
 * How similar unrelated texts are token by token; undefined for an embedder that returns no tokens. In each
 * pair of sentences, either one is the query once.
 */
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
  return backgroundOf(
    asking.flatMap((reading, asker) =>
      new TokenQuery(reading)
        .similarities(signs.toSpliced(asker, 1))
        .map((similarity = 0) => similarity),
    ),
  );
}
