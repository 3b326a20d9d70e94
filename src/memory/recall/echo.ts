import { topK } from "../../shared/collections.ts";
import type { Together } from "../context/shared-search.ts";
import { cosinesTo } from "../search/simd/cosines.ts";
import { meanDirection } from "../search/stored-vector.ts";
import type { Activation } from "./activation.ts";
import type { QueryDirection } from "./prepare-recall.ts";
import { activationOf } from "./rank.ts";
import { scoreSimilarity } from "./score-similarity.ts";

/** The best episodes stand for what an answer looks like; averaging more of them would blur it. */
const BEST = 5;
/**
 * Weight of the similarity to the best episodes: enough to order equals, too little to outweigh the query.
 */
const ECHO_SHARE = 0.3;

/**
 * Pseudo-relevance feedback (Rocchio 1971, with vectors): episodes near the mean of the best ones rise. It
 * only lifts what is activated already and adds no items.
 */
export async function echo(
  episodes: ReadonlyMap<number, Activation>,
  vectors: ReadonlyMap<number, Int8Array>,
  { vector: query, layers }: Echoing,
): Promise<void> {
  const activated: Activated[] = [];
  for (const [number, parts] of query === undefined ? [] : episodes) {
    const vector = vectors.get(number);
    const activation = activationOf(parts);
    if (vector !== undefined && activation > 0)
      activated.push({ number, parts, activation, vector });
  }
  const ofThis = topK(
    activated,
    BEST,
    (a, b) => b.activation - a.activation || b.number - a.number,
  );
  const ofAll = await layers.gather(
    "best to echo",
    ofThis.map(({ activation, vector }) => ({ activation, vector })),
  );
  const best = topK(ofAll.flat(), BEST, (a, b) => b.activation - a.activation);
  const direction = meanDirection(best.map(({ vector }) => vector));
  const cosines =
    direction === undefined
      ? new Float32Array()
      : cosinesTo(
          direction,
          activated.map(({ vector }) => vector),
        );
  const most = Math.max(0, ...(await layers.gather("echo", Math.max(0, ...cosines))));
  if (query === undefined || direction === undefined) return;
  const { background } = query;
  for (const [index, { parts }] of activated.entries()) {
    const cosine = cosines[index] as number;
    parts.echo = ECHO_SHARE * scoreSimilarity(cosine, most, background);
  }
}

interface Echoing {
  /** Undefined where nothing is measured; the other layers do not wait for it. */
  readonly vector: QueryDirection | undefined;
  readonly layers: Together;
}

interface Activated {
  readonly number: number;
  readonly parts: Activation;
  readonly activation: number;
  readonly vector: Int8Array;
}
