import { instantiate, VECTOR_BYTES } from "../simd/instantiate.ts";

/** For each item's signs, the number of bits that differ from the query's. */
export type HammingDistances = (signs: Uint32Array, query: Uint32Array) => Uint16Array;

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
  return (signs, query) => {
    const distances = new Uint16Array(signs.length / words);
    held.set(query, queryAt / WORD_BYTES);
    for (let first = 0; first < distances.length; first += PLACES) {
      const places = Math.min(PLACES, distances.length - first);
      held.set(signs.subarray(first * words, (first + places) * words));
      compare(0, places * bytes, queryAt, outAt, bytes);
      distances.set(out.subarray(0, places), first);
    }
    return distances;
  };
}

export function scalarDistances(signs: Uint32Array, query: Uint32Array): Uint16Array {
  const words = query.length;
  const distances = new Uint16Array(signs.length / words);
  for (let place = 0, at = 0; place < distances.length; place += 1) {
    let distance = 0;
    for (let word = 0; word < words; word += 1, at += 1) {
      distance += bitsOf((signs[at] as number) ^ (query[word] as number));
    }
    distances[place] = distance;
  }
  return distances;
}

/**
 * How many of 32 bits are set, computed as sums of 2, 4 and 8 bits side by side (Warren, Hacker's Delight).
 */
function bitsOf(word: number): number {
  let sums = word - ((word >>> 1) & 0x55555555);
  sums = (sums & 0x33333333) + ((sums >>> 2) & 0x33333333);
  return Math.imul((sums + (sums >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
