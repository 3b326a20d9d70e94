import { madeOnce } from "../../../kernel/made-once.ts";
import { cosineTo } from "../stored-vector.ts";
import { instantiate } from "./instantiate.ts";

/**
 * Cosine similarities of a direction of length one to stored vectors, -1..1; 0 to a zero vector. With
 * vector instructions they are floats of 32 bits, which may differ in the last digits from those of
 * `cosineTo`.
 */
export function cosinesTo(direction: Float32Array, stored: readonly Int8Array[]): Float64Array {
  return comparison(direction.length)(direction, stored);
}

type Cosines = typeof cosinesTo;

/** By the number of dimensions: a process has vectors of one or two models. */
const comparison = madeOnce<number, Cosines>(
  (dimensions) => vectorCosines(dimensions) ?? scalarCosines,
);

export function scalarCosines(direction: Float32Array, stored: readonly Int8Array[]): Float64Array {
  return Float64Array.from(stored, (vector) => cosineTo(direction, vector));
}

/** Numbers of a stored vector that are taken at once. */
const STEP = 8;
/** So many are compared in one call, in a memory that is no larger than they need. */
const PLACES = 256;

/** Undefined where the processor, or Node.js as it was started, has no vector instructions. */
export function vectorCosines(dimensions: number): Cosines | undefined {
  // Behind a vector that does not fill it there are zeros, which change no sum.
  const ofOne = Math.ceil(dimensions / STEP) * STEP;
  if (ofOne === 0) return undefined;
  const directionAt = PLACES * ofOne;
  const outAt = directionAt + ofOne * Float32Array.BYTES_PER_ELEMENT;
  const size = outAt + PLACES * Float32Array.BYTES_PER_ELEMENT;
  const instance = instantiate("cosine", size);
  if (instance === undefined) return undefined;
  const { memory, compare } = instance;
  const held = new Int8Array(memory);
  const asked = new Float32Array(memory, directionAt, dimensions);
  const out = new Float32Array(memory, outAt, PLACES);
  return (direction, stored) => {
    const cosines = new Float64Array(stored.length);
    asked.set(direction);
    for (let first = 0; first < stored.length; first += PLACES) {
      const places = Math.min(PLACES, stored.length - first);
      for (let place = 0; place < places; place += 1) {
        const vector = stored[first + place] as Int8Array;
        if (vector.length === dimensions) held.set(vector, place * ofOne);
      }
      compare(0, places * ofOne, directionAt, outAt, ofOne);
      for (let place = 0; place < places; place += 1) {
        const vector = stored[first + place] as Int8Array;
        // What is damaged has another length, and overlaps nothing that is compared.
        const cosine = vector.length === dimensions ? out[place] : cosineTo(direction, vector);
        cosines[first + place] = cosine || 0;
      }
    }
    return cosines;
  };
}
