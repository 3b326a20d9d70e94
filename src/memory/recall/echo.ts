import { firstOf } from "../../kernel/first-of.ts";
import { cosinesTo } from "../search/simd/cosines.ts";
import { meanDirection } from "../search/stored-vector.ts";
import type { Activation } from "./activation.ts";
import type { QueryDirection } from "./prepare-recall.ts";
import { activationOf } from "./rank.ts";
import { scoreSimilarity } from "./score-similarity.ts";

/** Episodes that say what an answer looks like; more of them say less about this one. */
const BEST = 5;
/** What likeness to them is worth: enough to order equals, too little to lead away from the query. */
const ECHO_SHARE = 0.3;

/**
 * What was found first is asked for once more (Rocchio 1971, with vectors): episodes near the mean
 * of the best ones rise. It lifts what is activated already and brings in nothing.
 */
export function echo(
  episodes: ReadonlyMap<number, Activation>,
  vectors: ReadonlyMap<number, Int8Array>,
  { background }: QueryDirection,
): void {
  const activated: Activated[] = [];
  for (const [number, parts] of episodes) {
    const vector = vectors.get(number);
    const activation = activationOf(parts);
    if (vector !== undefined && activation > 0)
      activated.push({ number, parts, activation, vector });
  }
  const best = firstOf(
    activated,
    BEST,
    (a, b) => b.activation - a.activation || b.number - a.number,
  );
  const direction = meanDirection(best.map(({ vector }) => vector));
  if (direction === undefined) return;
  const cosines = cosinesTo(
    direction,
    activated.map(({ vector }) => vector),
  );
  const most = Math.max(0, ...cosines);
  for (const [index, { parts }] of activated.entries()) {
    const cosine = cosines[index] as number;
    parts.echo = ECHO_SHARE * scoreSimilarity(cosine, most, background);
  }
}

interface Activated {
  readonly number: number;
  readonly parts: Activation;
  readonly activation: number;
  readonly vector: Int8Array;
}
