import {
  LANES,
  load,
  loopWhileBelow,
  moved,
  OP,
  SIMD,
  simd,
  VECTOR_BYTES,
  wasmModule,
} from "./assemble.ts";

/** Numbers of a stored vector that are taken at once: bytes, which become twice as wide. */
export const STEP = 8;
const FLOATS_BYTES = STEP * Float32Array.BYTES_PER_ELEMENT;

const [STORED, END, DIRECTION, OUT, UNTIL, AT] = [0, 1, 2, 3, 4, 5];
const [BYTES, LOWER, UPPER, SQUARES] = [6, 7, 8, 9];
const NOTHING = [...simd(SIMD.constant), ...Array.from({ length: VECTOR_BYTES }, () => 0)];

/**
 * A module with the one function `compare(stored, end, direction, out)`: for each vector of so many
 * bytes, a multiple of 8, between `stored` and `end`, it writes to `out` as a float its cosine to
 * the floats at `direction`, whose length is taken to be one; not a number for a zero vector.
 */
export function cosineModule(bytes: number): Uint8Array<ArrayBuffer> {
  const overBytes = loopWhileBelow({ at: STORED, end: UNTIL, step: STEP }, [
    ...[OP.localGet, STORED, ...simd(SIMD.loadBytesAs16), 3, 0, OP.localSet, BYTES],
    ...productAdded(LOWER, SIMD.lowerAs32, 0),
    ...productAdded(UPPER, SIMD.upperAs32, VECTOR_BYTES),
    ...[OP.localGet, SQUARES, OP.localGet, BYTES, OP.localGet, BYTES],
    ...[...simd(SIMD.pairsOfProducts), ...simd(SIMD.add32), OP.localSet, SQUARES],
    ...moved(AT, FLOATS_BYTES),
  ]);
  const overVectors = loopWhileBelow({ at: STORED, end: END, step: 0 }, [
    ...[LOWER, UPPER, SQUARES].flatMap((sums) => [...NOTHING, OP.localSet, sums]),
    ...[OP.localGet, DIRECTION, OP.localSet, AT],
    ...[OP.localGet, STORED, OP.localSet, UNTIL, ...moved(UNTIL, bytes)],
    ...overBytes,
    ...[OP.localGet, LOWER, OP.localGet, UPPER, ...simd(SIMD.addFloats), OP.localSet, LOWER],
    OP.localGet,
    OUT,
    ...LANES.flatMap((lane) => laneAdded(lane, [LOWER, SIMD.laneOfFloats, OP.addFloats])),
    ...LANES.flatMap((lane) => laneAdded(lane, [SQUARES, SIMD.laneOf32, OP.add])),
    ...[OP.toFloat, OP.rootOfFloat, OP.divideFloats, OP.storeFloat, 2, 0],
    ...moved(OUT, Float32Array.BYTES_PER_ELEMENT),
  ]);
  return wasmModule({ addresses: 2, vectors: 4, body: overVectors });
}

/** Four of the bytes as floats, times the four floats that lie so far behind those of this step. */
function productAdded(sums: number, half: number, offset: number): number[] {
  return [
    ...[OP.localGet, sums],
    ...[OP.localGet, BYTES, ...simd(half), ...simd(SIMD.toFloats)],
    ...[OP.localGet, AT, ...load(offset)],
    ...[...simd(SIMD.multiplyFloats), ...simd(SIMD.addFloats), OP.localSet, sums],
  ];
}

function laneAdded(lane: number, [sums, lane32, add]: readonly [number, number, number]): number[] {
  const read = [OP.localGet, sums, ...simd(lane32), lane];
  return lane === 0 ? read : [...read, add];
}
