import { instantiate, VECTOR_BYTES } from "../simd/instantiate.ts";

/**
 * For the signs of each item, part after part, the number of bits that differ from the query's. `beforePart` is
 * called before each part and may throw.
 */
export type HammingDistances = (
  parts: readonly Uint32Array[],
  query: Uint32Array,
  beforePart?: () => void,
) => Uint16Array;

/** Items compared in one call; the module's memory is only as large as they need. */
const PLACES = 1024;
const WORD_BYTES = 4;

/** Returns the fastest comparison for signs of so many words that the processor supports. */
export function hammingDistances(words: number): HammingDistances {
  return vectorDistances(words) ?? scalarDistances;
}

/** Undefined if the processor, or Node.js as started, has no vector instructions. */
export function vectorDistances(words: number): HammingDistances | undefined {
  const bytes = words * WORD_BYTES;
  if (bytes === 0 || bytes % VECTOR_BYTES !== 0) return undefined;
  const [queryAt, outAt] = [PLACES * bytes, (PLACES + 1) * bytes];
  const size = outAt + PLACES * Uint16Array.BYTES_PER_ELEMENT;
  const instance = instantiate("hamming", size);
  if (instance === undefined) return undefined;
  const { memory, compare } = instance;
  const held = new Uint32Array(memory);
  const out = new Uint16Array(memory, outAt, PLACES);
  return (parts, query, beforePart) => {
    const distances = new Uint16Array(itemsOf(parts, words));
    held.set(query, queryAt / WORD_BYTES);
    let [waiting, done] = [0, 0];
    const compareWaiting = () => {
      compare(0, waiting * bytes, queryAt, outAt, bytes);
      distances.set(waiting === PLACES ? out : out.subarray(0, waiting), done);
      done += waiting;
      waiting = 0;
    };
    for (const signs of parts) {
      beforePart?.();
      for (let at = 0; at < signs.length; ) {
        const length = Math.min((PLACES - waiting) * words, signs.length - at);
        const isWhole = length === signs.length;
        held.set(isWhole ? signs : signs.subarray(at, at + length), waiting * words);
        at += length;
        waiting += length / words;
        if (waiting === PLACES) compareWaiting();
      }
    }
    if (waiting > 0) compareWaiting();
    return distances;
  };
}

export const scalarDistances: HammingDistances = (parts, query, beforePart) => {
  const words = query.length;
  const distances = new Uint16Array(itemsOf(parts, words));
  let place = 0;
  for (const signs of parts) {
    beforePart?.();
    for (let first = 0; first < signs.length; first += words) {
      let distance = 0;
      for (let word = 0; word < words; word += 1) {
        distance += bitsOf((signs[first + word] as number) ^ (query[word] as number));
      }
      distances[place] = distance;
      place += 1;
    }
  }
  return distances;
};

function itemsOf(parts: readonly Uint32Array[], words: number): number {
  let length = 0;
  for (const part of parts) length += part.length;
  return length / words;
}

/**
 * Number of of 32 bits are set, computed as sums of 2, 4 and 8 bits side by side (Warren, Hacker's
 * Delight).
 */
function bitsOf(word: number): number {
  let sums = word - ((word >>> 1) & 0x55555555);
  sums = (sums & 0x33333333) + ((sums >>> 2) & 0x33333333);
  return Math.imul((sums + (sums >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

export interface SignChunk {
  readonly first: number;
  readonly places: Uint8Array;
  /** The signs of all items one after the other, each as many words long as the query. */
  readonly signs: Uint32Array;
}

interface SignQuery {
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
