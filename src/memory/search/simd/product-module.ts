import {
  load,
  loopWhileBelow,
  moved,
  OP,
  SIMD,
  simd,
  VECTOR_BYTES,
  wasmModule,
} from "./assemble.ts";

/** Tokens that are compared side by side. */
export const SIDE_BY_SIDE = VECTOR_BYTES;
/** Bits of a sum in each of the two bytes that it is looked up in: two of them fit into one. */
export const BITS_OF_A_BYTE = 7;
/** Bytes of signs that can be summed up in 16 bits. */
export const MOST_BYTES = Math.floor(0xffff / (2 * (2 ** BITS_OF_A_BYTE - 1)));
/** Of the sums for one byte of signs: the lower and the upper bytes of those of either half of it. */
export const TABLE_BYTES = 4 * VECTOR_BYTES;
/** What the totals of tokens side by side take. */
export const TOTALS_BYTES = SIDE_BY_SIDE * Uint32Array.BYTES_PER_ELEMENT;

const [SIGNS, END, TABLES, OUT, UNTIL, TABLE] = [0, 1, 2, 3, 4, 5];
const [BYTES, HALF, LOWER, UPPER] = [6, 7, 8, 9];
/** Totals of the lower and of the upper bytes, for each half of the tokens. */
const [LOW_FIRST, LOW_LAST, HIGH_FIRST, HIGH_LAST] = [10, 11, 12, 13];
const NOTHING = [...simd(SIMD.constant), ...Array.from({ length: VECTOR_BYTES }, () => 0)];

/**
 * A module with the one function `compare(signs, end, tables, out)`. Between `signs` and `end` lie
 * the signs of 16 tokens after those of 16 others: their first bytes, their second bytes, and so on
 * to the number of bytes of a token. For each half of a byte the tables say what its 16 values add;
 * the totals are written to `out`, of 32 bits.
 */
export function productModule(bytes: number): Uint8Array<ArrayBuffer> {
  const overBytes = loopWhileBelow({ at: SIGNS, end: UNTIL, step: SIDE_BY_SIDE }, [
    ...[OP.localGet, SIGNS, ...load(), OP.localSet, BYTES],
    ...[OP.localGet, BYTES, OP.constant, 0x0f, ...simd(SIMD.splatBytes), ...simd(SIMD.and)],
    ...[OP.localSet, HALF, ...lookedUp(0), OP.localSet, LOWER],
    ...[...lookedUp(1), OP.localSet, UPPER],
    ...[OP.localGet, BYTES, OP.constant, 4, ...simd(SIMD.shiftBytesRight), OP.localSet, HALF],
    ...[...lookedUp(2), OP.localGet, LOWER, ...simd(SIMD.addBytes), OP.localSet, LOWER],
    ...[...lookedUp(3), OP.localGet, UPPER, ...simd(SIMD.addBytes), OP.localSet, UPPER],
    ...widened(LOW_FIRST, LOWER, SIMD.lowerBytesAs16),
    ...widened(LOW_LAST, LOWER, SIMD.upperBytesAs16),
    ...widened(HIGH_FIRST, UPPER, SIMD.lowerBytesAs16),
    ...widened(HIGH_LAST, UPPER, SIMD.upperBytesAs16),
    ...moved(TABLE, TABLE_BYTES),
  ]);
  const overTokens = loopWhileBelow({ at: SIGNS, end: END, step: 0 }, [
    ...[LOW_FIRST, LOW_LAST, HIGH_FIRST, HIGH_LAST].flatMap((sums) => [
      ...[...NOTHING, OP.localSet, sums],
    ]),
    ...[OP.localGet, TABLES, OP.localSet, TABLE],
    ...[OP.localGet, SIGNS, OP.localSet, UNTIL, ...moved(UNTIL, bytes * SIDE_BY_SIDE)],
    ...overBytes,
    ...written(0, LOW_FIRST, HIGH_FIRST, SIMD.lowerUnsignedAs32),
    ...written(1, LOW_FIRST, HIGH_FIRST, SIMD.upperUnsignedAs32),
    ...written(2, LOW_LAST, HIGH_LAST, SIMD.lowerUnsignedAs32),
    ...written(3, LOW_LAST, HIGH_LAST, SIMD.upperUnsignedAs32),
    ...moved(OUT, TOTALS_BYTES),
  ]);
  return wasmModule({ addresses: 2, vectors: 8, body: overTokens });
}

/** What the table says of each value in `HALF`. */
function lookedUp(table: number): number[] {
  const values = [OP.localGet, TABLE, ...load(table * VECTOR_BYTES)];
  return [...values, OP.localGet, HALF, ...simd(SIMD.lookUpBytes)];
}

/** Eight of the bytes added to totals of 16 bits. */
function widened(totals: number, bytes: number, half: number): number[] {
  const read = [OP.localGet, totals, OP.localGet, bytes, ...simd(half)];
  return [...read, ...simd(SIMD.add16), OP.localSet, totals];
}

/** Four totals, of their upper and lower bits. */
function written(place: number, low: number, high: number, half: number): number[] {
  const upper = [OP.localGet, high, ...simd(half), OP.constant, BITS_OF_A_BYTE];
  const total = [...upper, ...simd(SIMD.shift32Left), OP.localGet, low, ...simd(half)];
  const alignment = 4;
  return [
    ...[OP.localGet, OUT, ...total, ...simd(SIMD.add32)],
    ...[...simd(SIMD.store), alignment, place * VECTOR_BYTES],
  ];
}
