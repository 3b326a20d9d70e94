import { type Seed, strengthOf } from "./seed.ts";

/**
 * What the words of an episode lend to one a place away in its session. Vectors that were read with
 * what precedes them know their neighbours already.
 */
const TEXT_SHARE = 0.5;
/** What all that an episode matches by lends where each vector knows its own text alone. */
const SHARE = 0.25;

/** A question and its answer are different turns: what one of them matches speaks for the other. */
export function lentToNeighbour(
  seed: Pick<Seed, "text" | "vector" | "tokens">,
  distance: number,
  contextual: boolean,
): number {
  return (contextual ? TEXT_SHARE * seed.text : SHARE * strengthOf(seed)) / distance;
}
