import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { signBits } from "../../../../src/embedding/index.ts";
import {
  computeBestProducts,
  precomputeSums,
  scalarProducts,
  vectorProducts,
} from "../../../../src/memory/search/simd/best-products.ts";

function drawn(length: number, seed: number): Float32Array {
  let state = seed + 1;
  const values = Float32Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32 - 0.5;
  });
  const norm = Math.hypot(...values);
  return values.map((value) => value / norm);
}

/**
 * Reference implementation: the largest product with the sign bits of a token, scaled to unit
 * length.
 */
function best(vector: Float32Array, tokens: readonly Float32Array[]): number {
  const scale = 1 / Math.sqrt(vector.length);
  const products = tokens.map((token) =>
    vector.reduce(
      (sum, value, index) => sum + value * ((token[index] ?? 0) > 0 ? scale : -scale),
      0,
    ),
  );
  return Math.max(...products);
}

describe("the best products of vectors with the signs of texts", () => {
  it("match the definition with and without vector instructions", () => {
    const shapes = fc.record({
      dimensions: fc.integer({ min: 1, max: 50 }).map((eighth) => 8 * eighth),
      asking: fc.integer({ min: 1, max: 4 }),
      lengths: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 30 }),
    });
    fc.assert(
      fc.property(shapes, fc.nat(1e6), ({ dimensions, asking, lengths }, seed) => {
        const vectors = Array.from({ length: asking }, (_, n) => drawn(dimensions, seed + n));
        const texts = lengths.map((length, text) =>
          Array.from({ length }, (_, token) => drawn(dimensions, seed + 100 * text + token + 7)),
        );
        const signs = texts.map((tokens) => Buffer.concat(tokens.map((token) => signBits(token))));
        const bytes = dimensions / 8;
        const expected = texts.flatMap((tokens) => vectors.map((vector) => best(vector, tokens)));
        const tables = vectors.map((vector) => precomputeSums(vector, bytes));
        for (const found of [
          computeBestProducts(vectors, bytes)(signs),
          scalarProducts(bytes)(tables)(signs),
          vectorProducts(bytes)?.(tables)(signs) ?? [],
        ]) {
          expect(found).toHaveLength(expected.length);
          for (const [place, value] of found.entries()) {
            expect(value).toBeCloseTo(expected[place] ?? Number.NaN, 3);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it("are correct if all signs agree or none do", () => {
    const vector = new Float32Array(384).fill(1 / Math.sqrt(384));
    const [all, none] = [new Uint8Array(48).fill(255), new Uint8Array(48)];
    const [same, opposite] = computeBestProducts([vector], 48)([all, none]);
    expect(same).toBeCloseTo(1, 3);
    expect(opposite).toBeCloseTo(-1, 3);
  });

  it("are computed without vector instructions for tokens that overflow the sum", () => {
    expect(vectorProducts(300)).toBeUndefined();
    const vector = drawn(2400, 5);
    const [found] = computeBestProducts([vector], 300)([signBits(vector)]);
    expect(found).toBeCloseTo(best(vector, [vector]), 4);
  });
});
