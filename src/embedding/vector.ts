/** The vector scaled to length one; a zero vector stays zero. */
export function normalise(vector: ArrayLike<number>): Float32Array {
  let squares = 0;
  for (let i = 0; i < vector.length; i++) squares += (vector[i] ?? 0) ** 2;
  const scale = squares > 0 ? 1 / Math.sqrt(squares) : 0;
  const normalised = new Float32Array(vector.length);
  for (let i = 0; i < vector.length; i++) normalised[i] = (vector[i] ?? 0) * scale;
  return normalised;
}

export function normalisedMean(vectors: readonly ArrayLike<number>[]): Float32Array {
  const sum = new Float64Array(vectors[0]?.length ?? 0);
  for (const vector of vectors) {
    for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + (vector[i] ?? 0);
  }
  return normalise(sum);
}

/** Cosine similarity of two normalised vectors. */
export function cosine(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}

/** The signs of a vector, one bit each, the first in the lowest bit of the first byte. */
export function signBits(vector: Float32Array): Buffer {
  const bits = Buffer.alloc(Math.ceil(vector.length / 8));
  for (let index = 0; index < vector.length; index += 1) {
    if ((vector[index] ?? 0) > 0) bits[index >> 3] = (bits[index >> 3] ?? 0) | (1 << (index & 7));
  }
  return bits;
}
