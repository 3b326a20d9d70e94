import type { Tx } from "../../database/index.ts";
import { meanVectorOf, similaritiesOf } from "../search/vector-index.ts";
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
export async function echo(
  tx: Tx,
  episodes: ReadonlyMap<number, Activation>,
  { background }: QueryDirection,
): Promise<void> {
  const activated = Array.from(episodes, ([number, parts]) => ({
    number,
    parts,
    activation: activationOf(parts),
  })).filter(({ activation }) => activation > 0);
  const best = activated
    .toSorted((a, b) => b.activation - a.activation || b.number - a.number)
    .slice(0, BEST);
  const vector = await meanVectorOf(
    tx,
    "episode",
    best.map(({ number }) => number),
  );
  if (vector === undefined) return;
  const items = activated.map(({ number }) => number);
  const cosines = await similaritiesOf(tx, { kind: "episode", items, vector });
  const most = Math.max(0, ...cosines.values());
  for (const { number, parts } of activated) {
    const cosine = cosines.get(number);
    if (cosine !== undefined) parts.echo = ECHO_SHARE * scoreSimilarity(cosine, most, background);
  }
}
