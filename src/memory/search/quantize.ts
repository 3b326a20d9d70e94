/** A vector as 8-bit integers behind one 32-bit scale: a quarter of the size of 32-bit floats. */
export function encodeVector(vector: Float32Array): Buffer {
  let largest = 0;
  for (const value of vector) largest = Math.max(largest, Math.abs(value));
  const scale = largest === 0 ? 1 : largest / 127;
  const buffer = Buffer.alloc(4 + vector.length);
  buffer.writeFloatLE(scale, 0);
  for (const [index, value] of vector.entries())
    buffer.writeInt8(Math.round(value / scale), 4 + index);
  return buffer;
}

/**
 * Cosine similarity of a normalised query and an encoded vector, -1..1. The encoding of a unit
 * vector is off by less than 0.005.
 */
export function similarityTo(query: Float32Array, encoded: Buffer): number {
  const bytes = new Int8Array(encoded.buffer, encoded.byteOffset + 4, encoded.length - 4);
  let product = 0;
  let norm = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    const value = bytes[index] ?? 0;
    product += (query[index] ?? 0) * value;
    norm += value * value;
  }
  return norm === 0 ? 0 : product / Math.sqrt(norm);
}

/** The signs of a vector, one bit each, the first in the lowest bit of the first byte. */
export function signBits(vector: Float32Array): Buffer {
  const bits = Buffer.alloc(Math.ceil(vector.length / 8));
  for (const [index, value] of vector.entries()) {
    if (value > 0) bits[index >> 3] = (bits[index >> 3] ?? 0) | (1 << (index & 7));
  }
  return bits;
}
