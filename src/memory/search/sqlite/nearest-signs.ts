import type { HammingDistances } from "./hamming-distances.ts";

/** The sign bits of some items. */
export interface SignChunk {
  /** The number of each item. */
  readonly numbers: readonly number[];
  /** The signs of all items one after the other, each as many words long as the query. */
  readonly signs: Uint32Array;
}

export interface SignQuery {
  /** As many words long as the signs of an item. */
  readonly signs: Uint32Array;
  readonly compare: HammingDistances;
  readonly most: number;
  /** If there are no more items than this, all are returned. */
  readonly few: number;
  /** Called before each chunk. Throws if time is up. */
  readonly lookAtTime: () => void;
}

/**
 * Numbers of the items whose signs differ in the fewest bits, unordered. It counts items by distance, so that
 * nothing has to be sorted.
 */
export function nearestSigns(chunks: readonly SignChunk[], query: SignQuery): number[] {
  const counts = new Uint32Array(query.signs.length * 32 + 1);
  const distances = chunks.map(({ signs }) => {
    query.lookAtTime();
    const ofChunk = query.compare(signs, query.signs);
    for (const distance of ofChunk) counts[distance] = (counts[distance] as number) + 1;
    return ofChunk;
  });
  const all = counts.reduce((sum, count) => sum + count, 0);
  const most = all <= query.few ? all : query.most;
  let [limit, nearer] = [0, 0];
  while (limit < counts.length && nearer + (counts[limit] as number) < most) {
    nearer += counts[limit] as number;
    limit += 1;
  }
  let equal = most - nearer;
  const found: number[] = [];
  for (const [index, { numbers }] of chunks.entries()) {
    for (const [place, distance] of (distances[index] as Uint16Array).entries()) {
      if (distance > limit) continue;
      if (distance === limit && equal-- <= 0) continue;
      found.push(numbers[place] as number);
    }
  }
  return found;
}
