import { topK } from "../../shared/collections.ts";
import { cosinesTo } from "../search/simd/cosines.ts";
import { meanDirection } from "../search/stored-vector.ts";
import type { Activation } from "./activation.ts";
import { activationOf } from "./activation.ts";
import type { QueryDirection } from "./prepare-recall.ts";
import { scoreSimilarity } from "./score-similarity.ts";

const BEST = 5;
/**
 * Weight of the similarity to the best episodes: enough to order equals, too little to outweigh the query.
 */
const ECHO_WEIGHT = 0.3;

/**
 * Pseudo-relevance feedback (Rocchio 1971, with vectors): episodes near the mean of the best ones rise. It
 * only lifts what is activated already and adds no items.
 */
export function echo(
  episodes: ReadonlyMap<number, Activation>,
  vectors: ReadonlyMap<number, Int8Array>,
  query: QueryDirection | undefined,
): void {
  if (query === undefined) return;
  const activated: Activated[] = [];
  for (const [number, parts] of episodes) {
    const vector = vectors.get(number);
    const activation = activationOf(parts);
    if (vector !== undefined && activation > 0)
      activated.push({ number, parts, activation, vector });
  }
  const best = topK(activated, BEST, (a, b) => b.activation - a.activation || b.number - a.number);
  const direction = meanDirection(best.map(({ vector }) => vector));
  if (direction === undefined) return;
  const cosines = cosinesTo(
    direction,
    activated.map(({ vector }) => vector),
  );
  const most = cosines.reduce((most, cosine) => Math.max(most, cosine), 0);
  const { background } = query;
  for (const [index, { parts }] of activated.entries()) {
    const cosine = cosines[index] as number;
    parts.echo = ECHO_WEIGHT * scoreSimilarity(cosine, most, background);
  }
}

interface Activated {
  readonly number: number;
  readonly parts: Activation;
  readonly activation: number;
  readonly vector: Int8Array;
}
