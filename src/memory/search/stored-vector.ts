import { normalise, normalisedMean } from "../../embedding/index.ts";

/** A vector as it is stored: 8-bit integers, of whatever length. */
export function storedVector(bytes: Uint8Array, start = 0, length = bytes.length): Int8Array {
  return new Int8Array(bytes.buffer, bytes.byteOffset + start, length);
}

/** Cosine similarity of a direction of length one to a stored vector, -1..1; 0 to a zero vector. */
export function cosineTo(direction: Float32Array, stored: Int8Array): number {
  let [product, squares] = [0, 0];
  for (let index = 0; index < stored.length; index += 1) {
    const value = stored[index] as number;
    product += (direction[index] as number) * value;
    squares += value * value;
  }
  return squares === 0 ? 0 : product / Math.sqrt(squares);
}

/** The normalised mean of stored vectors, each of which counts the same; undefined of none. */
export function meanDirection(vectors: readonly Int8Array[]): Float32Array | undefined {
  return vectors.length === 0 ? undefined : normalisedMean(vectors.map(normalise));
}
