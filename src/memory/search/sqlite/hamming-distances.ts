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
