import type { QueryDirection } from "./prepare-recall.ts";

/** Weight of a full match by each measure; an entity that is asked for counts 1. */
export interface MeasureShares {
  readonly text: number;
  readonly vector: number;
  readonly tokens: number;
}

const ALONE: MeasureShares = { text: 1, vector: 1, tokens: 0 };
const BESIDE_TOKENS: MeasureShares = { text: 0.6, vector: 0.5, tokens: 1.75 };

export function measureShares(vector: Pick<QueryDirection, "tokens"> | undefined): MeasureShares {
  return vector?.tokens === undefined ? ALONE : BESIDE_TOKENS;
}
