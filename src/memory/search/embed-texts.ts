import { type Embedder, signedReading, type TextInContext } from "../../embedding/index.ts";
import type { MadeVector } from "./vector-query.ts";

export async function embedTexts(
  embedder: Embedder,
  texts: readonly TextInContext[],
  signal: AbortSignal,
): Promise<MadeVector[]> {
  if (embedder.readMany !== undefined) {
    const readings = await embedder.readMany(texts, { signal });
    return readings.map(({ vector, signs }) => ({ vector, tokens: signs }));
  }
  if (embedder.read === undefined) {
    const plain = texts.map(({ text }) => text);
    const vectors = await embedder.embed(plain, { signal });
    return vectors.map((vector) => ({ vector, tokens: undefined }));
  }
  const readings = await embedder.read(texts, { signal });
  return readings.map((reading) => ({
    vector: reading.vector,
    tokens: signedReading(reading).signs,
  }));
}
