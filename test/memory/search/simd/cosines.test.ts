import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  computeCosines,
  scalarCosines,
  vectorCosines,
} from "../../../../src/memory/search/simd/cosines.ts";

function unit(values: readonly number[]): Float32Array {
  const length = Math.hypot(...values) || 1;
  return Float32Array.from(values, (value) => value / length);
}

/** Reference implementation in double precision. */
function cosine(direction: Float32Array, stored: Int8Array): number {
  let [product, squares] = [0, 0];
  for (const [index, value] of stored.entries()) {
    product += value * (direction[index] ?? 0);
    squares += value * value;
  }
  return squares === 0 ? 0 : product / Math.sqrt(squares);
}

const drawn = fc.integer({ min: 1, max: 70 }).chain((dimensions) =>
  fc.record({
    direction: fc
      .array(fc.double({ min: -1, max: 1, noNaN: true }), {
        minLength: dimensions,
        maxLength: dimensions,
      })
      .map(unit),
    stored: fc.array(
      fc.int8Array({ minLength: dimensions, maxLength: dimensions }).map((one) => one),
      { maxLength: 20 },
    ),
  }),
);

describe("cosines to a direction", () => {
  it("match the definition with and without vector instructions", () => {
    fc.assert(
      fc.property(drawn, ({ direction, stored }) => {
        const expected = stored.map((one) => cosine(direction, one));
        for (const compare of [computeCosines, scalarCosines, vectorCosines(direction.length)]) {
          const found = [...(compare?.(direction, stored) ?? [])];
          expect(found).toHaveLength(stored.length);
          for (const [index, value] of found.entries()) {
            expect(value).toBeCloseTo(expected[index] ?? Number.NaN, 5);
          }
        }
      }),
    );
  });

  it("are correct for more vectors than one call compares", () => {
    const direction = unit(Array.from({ length: 384 }, (_, index) => Math.sin(index)));
    const stored = Array.from({ length: 1030 }, (_, number) =>
      Int8Array.from({ length: 384 }, (_value, index) => 127 * Math.cos(index * number)),
    );
    const found = computeCosines(direction, stored);
    for (const [index, one] of stored.entries()) {
      expect(found[index]).toBeCloseTo(cosine(direction, one), 5);
    }
  });

  it("reach 1 and -1, and are 0 to a zero vector", () => {
    const direction = unit([3, 4, 0]);
    const stored = [Int8Array.of(30, 40, 0), Int8Array.of(-30, -40, 0), Int8Array.of(0, 0, 0)];
    const [same, opposite, none] = computeCosines(direction, stored);
    expect(same).toBeCloseTo(1, 6);
    expect(opposite).toBeCloseTo(-1, 6);
    expect(none).toBe(0);
  });

  it("handle a vector of another length without affecting others", () => {
    const direction = unit([1, 1, 1, 1]);
    const stored = [Int8Array.of(9, 9, 9, 9), Int8Array.of(5, 5), Int8Array.of(7, 7, 7, 7)];
    const [before, short, after] = computeCosines(direction, stored);
    expect(before).toBeCloseTo(1, 6);
    expect(short).toBeCloseTo(Math.SQRT1_2, 6);
    expect(after).toBeCloseTo(1, 6);
  });
});
