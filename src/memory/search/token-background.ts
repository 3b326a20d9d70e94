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
 * How similar texts are token by token that have nothing to do with each other; undefined for an
 * embedder that tells no tokens. Of each pair either sentence asks once.
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
