import { memoize } from "../../../shared/collections.ts";
import { instantiate, VECTOR_BYTES } from "./instantiate.ts";

const LANES = VECTOR_BYTES;
/** Sums are split into two 7-bit lookup bytes, so that adding two does not overflow a byte. */
const BITS_PER_BYTE_USED = 7;
/** Maximum sign bytes whose sums fit 16 bits. */
const MAX_BYTES = Math.floor(0xffff / (2 * (2 ** BITS_PER_BYTE_USED - 1)));
/** Lookup table for one byte of signs: lower and upper bytes of the sums for each nibble. */
const TABLE_BYTES = 4 * VECTOR_BYTES;
const TOTALS_BYTES = LANES * Uint32Array.BYTES_PER_ELEMENT;

const VALUES_PER_NIBBLE = 16;

export type BestProducts = (texts: readonly Uint8Array[]) => Float64Array;

export function computeBestProducts(vectors: readonly Float32Array[], bytes: number): BestProducts {
  const tables = vectors.map((vector) => precomputeSums(vector, bytes));
  return comparison(bytes)(tables);
}

type Comparison = (tables: readonly Float32Array[]) => BestProducts;

const comparison = memoize<number, Comparison>(
  (bytes) => vectorProducts(bytes) ?? scalarProducts(bytes),
);

/** Returns each nibble value's contribution to the dot product: set bits add, others subtract. */
export function precomputeSums(vector: Float32Array, bytes: number): Float32Array {
  const sums = new Float32Array(bytes * 2 * VALUES_PER_NIBBLE);
  const scale = 1 / Math.sqrt(vector.length);
  for (let bit = 0; bit < Math.min(vector.length, bytes * 8); bit += 1) {
    const start = (bit >> 2) * VALUES_PER_NIBBLE;
    const part = (vector[bit] as number) * scale;
    for (let value = 0; value < VALUES_PER_NIBBLE; value += 1) {
      const isSet = ((value >> (bit & 3)) & 1) === 1;
      sums[start + value] = (sums[start + value] as number) + (isSet ? part : -part);
    }
  }
  return sums;
}

export function scalarProducts(bytes: number): Comparison {
  return (tables) => (texts) => {
    const best = new Float64Array(texts.length * tables.length);
    for (const [index, text] of texts.entries()) {
      for (const [token, sums] of tables.entries()) {
        best[index * tables.length + token] = findBestProduct(sums, text, bytes);
      }
    }
    return best;
  };
}

function findBestProduct(sums: Float32Array, signs: Uint8Array, bytes: number): number {
  let best = -1;
  for (let start = 0; start + bytes <= signs.length; start += bytes) {
    let sum = 0;
    for (let index = 0; index < bytes; index += 1) {
      const byte = signs[start + index] as number;
      const table = index * 2 * VALUES_PER_NIBBLE;
      sum += sums[table + (byte & 15)] as number;
      sum += sums[table + VALUES_PER_NIBBLE + (byte >> 4)] as number;
    }
    if (sum > best) best = sum;
  }
  return best;
}

/** Tokens compared per call; their signs stay in the CPU cache. */
const MAX_RESULTS = 512;

/**
 * Looks up 14-bit sums for 16 tokens in parallel (cf. André, Kermarrec and Le Scouarnec 2015); dot
 * products are accurate to some 1e-5. Undefined without vector instructions in the CPU or Node.js,
 * or if the sums of so many bytes do not fit.
 */
export function vectorProducts(bytes: number): Comparison | undefined {
  if (bytes === 0 || bytes > MAX_BYTES) return undefined;
  const tablesAt = MAX_RESULTS * bytes;
  const outAt = tablesAt + bytes * TABLE_BYTES;
  const size = outAt + (MAX_RESULTS / LANES) * TOTALS_BYTES;
  const instance = instantiate("product", size);
  if (instance === undefined) return undefined;
  const { memory, compare } = instance;
  const stored = new Uint8Array(memory, 0, tablesAt);
  const sharedTables = new Uint8Array(memory, tablesAt, bytes * TABLE_BYTES);
  const totals = new Uint32Array(memory, outAt, MAX_RESULTS);
  return (tables) => {
    const rounded = tables.map((sums) => roundSums(sums, bytes));
    return (texts) => {
      const best = new Float64Array(texts.length * tables.length).fill(-1);
      for (const part of splitParts(texts, bytes)) {
        const used = interleave(stored, part, bytes);
        for (const [token, { bytes: ofTables, step, minimum }] of rounded.entries()) {
          sharedTables.set(ofTables);
          compare(0, used, tablesAt, outAt, bytes);
          for (const { text, first, count } of part) {
            const product = minimum + findLargest(totals, first, first + count) * step;
            const at = text * tables.length + token;
            best[at] = Math.max(best[at] as number, product);
          }
        }
      }
      return best;
    };
  };
}

function findLargest(totals: Uint32Array, from: number, to: number): number {
  let highest = 0;
  for (let index = from; index < to; index += 1) {
    const total = totals[index] as number;
    if (total > highest) highest = total;
  }
  return highest;
}

interface RoundedSums {
  readonly bytes: Uint8Array;
  /** Dot product = least + total × step. */
  readonly step: number;
  readonly minimum: number;
}

/** Represents 0, so that 0 is stored exactly. */
const ROUNDING_OFFSET = 2 ** (2 * BITS_PER_BYTE_USED - 1);
const LOWER_BITS_MASK = 2 ** BITS_PER_BYTE_USED - 1;

function roundSums(sums: Float32Array, ofOne: number): RoundedSums {
  let highest = 0;
  for (const sum of sums) highest = Math.max(highest, Math.abs(sum));
  const step = highest === 0 ? 1 : highest / (ROUNDING_OFFSET - 1);
  const bytes = new Uint8Array(ofOne * TABLE_BYTES);
  for (let half = 0; half < ofOne * 2; half += 1) {
    const lower = half * 2 * VALUES_PER_NIBBLE;
    for (let value = 0; value < VALUES_PER_NIBBLE; value += 1) {
      const level =
        ROUNDING_OFFSET + Math.round((sums[half * VALUES_PER_NIBBLE + value] as number) / step);
      bytes[lower + value] = level & LOWER_BITS_MASK;
      bytes[lower + VALUES_PER_NIBBLE + value] = level >> BITS_PER_BYTE_USED;
    }
  }
  return { bytes, step, minimum: -ROUNDING_OFFSET * step * ofOne * 2 };
}

interface Part {
  readonly text: number;
  readonly signBits: Uint8Array;
  readonly first: number;
  readonly count: number;
}

function* splitParts(texts: readonly Uint8Array[], bytes: number): Generator<readonly Part[]> {
  let parts: Part[] = [];
  let used = 0;
  for (const [text, signs] of texts.entries()) {
    const tokens = Math.floor(signs.length / bytes);
    for (let from = 0; from < tokens; ) {
      const count = Math.min(tokens - from, MAX_RESULTS - used);
      const own = signs.subarray(from * bytes, (from + count) * bytes);
      parts.push({ text, signBits: own, first: used, count });
      used += count;
      from += count;
      if (used < MAX_RESULTS) continue;
      yield parts;
      parts = [];
      used = 0;
    }
  }
  if (used > 0) yield parts;
}

/** Interleaves the signs and returns the bytes used. Totals of empty slots are never read. */
function interleave(stored: Uint8Array, parts: readonly Part[], bytes: number): number {
  let last = 0;
  for (const { signBits, first, count } of parts) {
    last = first + count;
    for (let token = 0; token < count; token += 1) {
      const index = first + token;
      let to = Math.floor(index / LANES) * LANES * bytes + (index % LANES);
      for (let from = token * bytes; from < (token + 1) * bytes; from += 1) {
        stored[to] = signBits[from] as number;
        to += LANES;
      }
    }
  }
  return Math.ceil(last / LANES) * LANES * bytes;
}
