import { instantiate, VECTOR_BYTES } from "../simd/instantiate.ts";

/** Returns Hamming distances to the query's signs in batches. `beforePart` may throw. */
export type HammingDistances = (
  parts: readonly Uint32Array[],
  query: Uint32Array,
  beforePart?: () => void,
) => Uint16Array;

/** Items compared per call; bounds the module's memory. */
const MAX_RESULTS = 1024;
const WORD_BYTES = 4;

export function computeHammingDistances(words: number): HammingDistances {
  return vectorDistances(words) ?? scalarDistances;
}

export function vectorDistances(words: number): HammingDistances | undefined {
  const bytes = words * WORD_BYTES;
  if (bytes === 0 || bytes % VECTOR_BYTES !== 0) return undefined;
  const [queryAt, outAt] = [MAX_RESULTS * bytes, (MAX_RESULTS + 1) * bytes];
  const size = outAt + MAX_RESULTS * Uint16Array.BYTES_PER_ELEMENT;
  const instance = instantiate("hamming", size);
  if (instance === undefined) return undefined;
  const { memory, compare } = instance;
  const stored = new Uint32Array(memory);
  const out = new Uint16Array(memory, outAt, MAX_RESULTS);
  return (parts, query, beforePart) => {
    const distances = new Uint16Array(concatenate(parts, words));
    stored.set(query, queryAt / WORD_BYTES);
    let [waiting, done] = [0, 0];
    const compareWaiting = () => {
      compare(0, waiting * bytes, queryAt, outAt, bytes);
      distances.set(waiting === MAX_RESULTS ? out : out.subarray(0, waiting), done);
      done += waiting;
      waiting = 0;
    };
    for (const signs of parts) {
      beforePart?.();
      for (let at = 0; at < signs.length; ) {
        const length = Math.min((MAX_RESULTS - waiting) * words, signs.length - at);
        const isComplete = length === signs.length;
        stored.set(isComplete ? signs : signs.subarray(at, at + length), waiting * words);
        at += length;
        waiting += length / words;
        if (waiting === MAX_RESULTS) compareWaiting();
      }
    }
    if (waiting > 0) compareWaiting();
    return distances;
  };
}

export const scalarDistances: HammingDistances = (parts, query, beforePart) => {
  const words = query.length;
  const distances = new Uint16Array(concatenate(parts, words));
  let index = 0;
  for (const signs of parts) {
    beforePart?.();
    for (let first = 0; first < signs.length; first += words) {
      let distance = 0;
      for (let word = 0; word < words; word += 1) {
        distance += countBits((signs[first + word] as number) ^ (query[word] as number));
      }
      distances[index] = distance;
      index += 1;
    }
  }
  return distances;
};

function concatenate(parts: readonly Uint32Array[], words: number): number {
  let length = 0;
  for (const part of parts) length += part.length;
  return length / words;
}

/** Population count by parallel sums of 2, 4 and 8 bits (Warren, Hacker's Delight). */
function countBits(word: number): number {
  let sums = word - ((word >>> 1) & 0x55555555);
  sums = (sums & 0x33333333) + ((sums >>> 2) & 0x33333333);
  return Math.imul((sums + (sums >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

export interface SignChunk {
  readonly first: number;
  readonly places: Uint8Array;
  /** Concatenated signs, each as long as the query's. */
  readonly signBits: Uint32Array;
}

interface SignQuery {
  readonly signBits: Uint32Array;
  readonly compare: HammingDistances;
  readonly limit: number;
  readonly few: number;
  readonly lookAtTime: () => void;
}

/**
 * Returns the numbers of the items with the smallest Hamming distances, unordered. Counting by
 * distance avoids sorting. Index loops are used because an iterator over a million items costs more
 * than the comparison.
 */
export function findNearestSigns(chunks: readonly SignChunk[], query: SignQuery): number[] {
  const parts = chunks.map(({ signBits }) => signBits);
  const distances = query.compare(parts, query.signBits, query.lookAtTime);
  const max = distances.length <= query.few ? distances.length : query.limit;
  const { limit, nearer } = findLimit(distances, max, query.signBits.length * 32);
  let equal = max - nearer;
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

/** Returns the distance within which enough items are found, and the number of closer items. */
function findLimit(distances: Uint16Array, max: number, largest: number) {
  const counts = new Uint32Array(largest + 1);
  for (let at = 0; at < distances.length; at += 1) {
    const distance = distances[at] as number;
    counts[distance] = (counts[distance] as number) + 1;
  }
  let [limit, nearer] = [0, 0];
  while (limit < counts.length && nearer + (counts[limit] as number) < max) {
    nearer += counts[limit] as number;
    limit += 1;
  }
  return { limit, nearer };
}
