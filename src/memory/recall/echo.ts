import { cosineTo, meanDirection } from "../search/stored-vector.ts";
import { type Activation, activationOf } from "./activation.ts";
import type { QueryDirection } from "./prepare-recall.ts";
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
  const activated = Array.from(episodes, ([number, parts]) => ({
    number,
    parts,
    activation: activationOf(parts),
  })).filter(({ activation }) => activation > 0);
  const best = activated
    .toSorted((a, b) => b.activation - a.activation || b.number - a.number)
    .slice(0, BEST);
  const direction = meanDirection(best.flatMap(({ number }) => vectors.get(number) ?? []));
  if (direction === undefined) return;
  let most = 0;
  const alike = activated.flatMap(({ number, parts }) => {
    const stored = vectors.get(number);
    if (stored === undefined) return [];
    const cosine = cosineTo(direction, stored);
    most = Math.max(most, cosine);
    return { parts, cosine };
  });
  for (const { parts, cosine } of alike) {
    parts.echo = ECHO_SHARE * scoreSimilarity(cosine, most, background);
  }
}
