import type { HammingDistances } from "./hamming-distances.ts";

/** The sign bits of some items. */
export interface SignChunk {
  readonly first: number;
  readonly places: Uint8Array;
  /** The signs of all items one after the other, each as many words long as the query. */
  readonly signs: Uint32Array;
}

export interface SignQuery {
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
 * nothing has to be sorted. Loops count places, since an iterator over a million items takes longer than their
 * comparison.
 */
export function nearestSigns(chunks: readonly SignChunk[], query: SignQuery): number[] {
  const parts = chunks.map(({ signs }) => signs);
  const distances = query.compare(parts, query.signs, query.lookAtTime);
  const most = distances.length <= query.few ? distances.length : query.most;
  const { limit, nearer } = limitOf(distances, most, query.signs.length * 32);
  let equal = most - nearer;
  let at = 0;
  const found: number[] = [];
  for (const { first, places } of chunks) {
    for (let item = 0; item < places.length; item += 1, at += 1) {
      const distance = distances[at] as number;
      if (distance > limit) continue;
      if (distance === limit && equal-- <= 0) continue;
      found.push(first + (places[item] as number));
    }
  }
  return found;
}

/** The distance at which so many items are reached, and how many are nearer than that. */
function limitOf(distances: Uint16Array, most: number, largest: number) {
  const counts = new Uint32Array(largest + 1);
  for (let at = 0; at < distances.length; at += 1) {
    const distance = distances[at] as number;
    counts[distance] = (counts[distance] as number) + 1;
  }
  let [limit, nearer] = [0, 0];
  while (limit < counts.length && nearer + (counts[limit] as number) < most) {
    nearer += counts[limit] as number;
    limit += 1;
  }
  return { limit, nearer };
}
