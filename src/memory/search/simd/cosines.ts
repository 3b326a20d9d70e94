import { memoize } from "../../../shared/collections.ts";
import { computeCosine } from "../stored-vector.ts";
import { instantiate } from "./instantiate.ts";

/**
 * Returns cosine similarities of a unit vector to stored vectors, -1..1; 0 for a zero vector. With
 * vector instructions they are 32-bit floats and may differ from `computeCosine` in the last digits.
 */
export function computeCosines(
  direction: Float32Array,
  stored: readonly Int8Array[],
): Float64Array {
  return comparison(direction.length)(direction, stored);
}

type Cosines = typeof computeCosines;

const comparison = memoize<number, Cosines>(
  (dimensions) => vectorCosines(dimensions) ?? scalarCosines,
);

export function scalarCosines(direction: Float32Array, stored: readonly Int8Array[]): Float64Array {
  return Float64Array.from(stored, (vector) => computeCosine(direction, vector));
}

const STEP_BYTES = 8;
/** Vectors compared per call; bounds the module's memory. */
const MAX_VECTORS = 256;

/** Returns undefined without vector instructions in the CPU or Node.js. */
export function vectorCosines(dimensions: number): Cosines | undefined {
  // Padding zeros do not change the sum.
  const ofOne = Math.ceil(dimensions / STEP_BYTES) * STEP_BYTES;
  if (ofOne === 0) return undefined;
  const directionAt = MAX_VECTORS * ofOne;
  const outAt = directionAt + ofOne * Float32Array.BYTES_PER_ELEMENT;
  const size = outAt + MAX_VECTORS * Float32Array.BYTES_PER_ELEMENT;
  const instance = instantiate("cosine", size);
  if (instance === undefined) return undefined;
  const { memory, compare } = instance;
  const existing = new Int8Array(memory);
  const queryVector = new Float32Array(memory, directionAt, dimensions);
  const out = new Float32Array(memory, outAt, MAX_VECTORS);
  return (direction, stored) => {
    const cosines = new Float64Array(stored.length);
    queryVector.set(direction);
    for (let first = 0; first < stored.length; first += MAX_VECTORS) {
      const positions = Math.min(MAX_VECTORS, stored.length - first);
      for (let index = 0; index < positions; index += 1) {
        const vector = stored[first + index] as Int8Array;
        if (vector.length === dimensions) existing.set(vector, index * ofOne);
      }
      compare(0, positions * ofOne, directionAt, outAt, ofOne);
      for (let index = 0; index < positions; index += 1) {
        const vector = stored[first + index] as Int8Array;
        // A damaged vector has another length and is compared separately.
        const cosine = vector.length === dimensions ? out[index] : computeCosine(direction, vector);
        cosines[first + index] = cosine || 0;
      }
    }
    return cosines;
  };
}
