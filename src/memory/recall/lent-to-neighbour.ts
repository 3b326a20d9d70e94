import { type Seed, strengthOf } from "./seed.ts";

const TEXT_WEIGHT = 0.5;
const WEIGHT = 0.25;

/** A question and its answer are different turns, so a match of one also supports the other. */
export function propagateToNeighbour(
  seed: Pick<Seed, "text" | "vector" | "tokens">,
  distance: number,
  contextual: boolean,
): number {
  return (contextual ? TEXT_WEIGHT * seed.text : WEIGHT * strengthOf(seed)) / distance;
}
