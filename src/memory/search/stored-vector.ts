import { normalise, normalisedMean } from "../../embedding/index.ts";

export function storedVector(bytes: Uint8Array, start = 0, length = bytes.length): Int8Array {
  return new Int8Array(bytes.buffer, bytes.byteOffset + start, length);
}

/**
 * Cosine similarity of a unit vector to a stored vector, -1..1; 0 for a zero vector. Two
 * independent sums let additions overlap. They are separate variables because destructuring would
 * allocate on the heap.
 */
export function computeCosine(direction: Float32Array, stored: Int8Array): number {
  let even = 0;
  let odd = 0;
  let squares = 0;
  const pairs = stored.length & ~1;
  for (let index = 0; index < pairs; index += 2) {
    const one = stored[index] as number;
    const other = stored[index + 1] as number;
    even += (direction[index] as number) * one;
    odd += (direction[index + 1] as number) * other;
    squares += one * one + other * other;
  }
  if (pairs < stored.length) {
    const last = stored[pairs] as number;
    even += (direction[pairs] as number) * last;
    squares += last * last;
  }
  return squares === 0 ? 0 : (even + odd) / Math.sqrt(squares);
}

/** Cosine similarity of two stored vectors, -1..1; 0 for a zero vector. */
export function cosineOfStored(a: Int8Array, b: Int8Array): number {
  let product = 0;
  let ofA = 0;
  let ofB = 0;
  for (let index = 0; index < a.length; index += 1) {
    const one = a[index] as number;
    const other = b[index] as number;
    product += one * other;
    ofA += one * one;
    ofB += other * other;
  }
  return ofA === 0 || ofB === 0 ? 0 : product / Math.sqrt(ofA * ofB);
}

export function computeMeanDirection(vectors: readonly Int8Array[]): Float32Array | undefined {
  return vectors.length === 0 ? undefined : normalisedMean(vectors.map(normalise));
}
