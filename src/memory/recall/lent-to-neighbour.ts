import { type Seed, strengthOf } from "./seed.ts";

/**
 * What an episode's text match lends to its neighbour in the session. This is for vectors that were computed
 * with the preceding text, which already know their neighbours.
 */
const TEXT_WEIGHT = 0.5;
/** What all of an episode's matches lend if each vector knows only its own text. */
const WEIGHT = 0.25;

/** A question and its answer are different turns, so a match of one also supports the other. */
export function propagateToNeighbour(
  seed: Pick<Seed, "text" | "vector" | "tokens">,
  distance: number,
  contextual: boolean,
): number {
  return (contextual ? TEXT_WEIGHT * seed.text : WEIGHT * strengthOf(seed)) / distance;
}
