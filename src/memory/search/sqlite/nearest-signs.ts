import type { HammingDistances } from "./hamming-distances.ts";

/** The sign bits of up to 1024 items, as sqlite-vec stores them. */
export interface SignChunk {
  /** One bit for each place: whether an item is there. */
  readonly taken: Uint8Array;
  /** The number of the item at each place, 64 bits, the lower half first. */
  readonly numbers: Uint32Array;
  /** The signs of one place after the other, each of `words` words. */
  readonly signs: Uint32Array;
}

export interface SignQuery {
  /** As many words as the signs of an item have. */
  readonly signs: Uint32Array;
  readonly compare: HammingDistances;
  readonly most: number;
  /** Where there are no more than so many, all are found. */
  readonly few: number;
  /** Called before each chunk; throws where time is up. */
  readonly lookAtTime: () => void;
}

const NOT_TAKEN = 0xffff;

/**
 * Numbers of the items whose signs differ in the fewest bits, in no order. They are found by
 * counting how many differ by how much, so that nothing has to be sorted.
 */
export function nearestSigns(chunks: readonly SignChunk[], query: SignQuery): number[] {
  const counts = new Uint32Array(query.signs.length * 32 + 1);
  const distances = chunks.map((chunk) => {
    query.lookAtTime();
    return countDistances(chunk, query, counts);
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
    const ofChunk = distances[index] as Uint16Array;
    for (let place = 0; place < ofChunk.length; place += 1) {
      const distance = ofChunk[place] as number;
      if (distance > limit || distance === NOT_TAKEN) continue;
      if (distance === limit && equal-- <= 0) continue;
      found.push((numbers[2 * place] as number) + (numbers[2 * place + 1] as number) * 2 ** 32);
    }
  }
  return found;
}

/** In how many bits each place differs from the query. */
function countDistances(
  { taken, signs }: SignChunk,
  query: SignQuery,
  counts: Uint32Array,
): Uint16Array {
  const distances = query.compare(signs, query.signs);
  for (let place = 0; place < distances.length; place += 1) {
    if ((((taken[place >> 3] as number) >> (place & 7)) & 1) === 0) {
      distances[place] = NOT_TAKEN;
      continue;
    }
    const distance = distances[place] as number;
    counts[distance] = (counts[distance] as number) + 1;
  }
  return distances;
}
