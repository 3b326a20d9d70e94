import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeTokenSigns, normalise, type Reading } from "../../../src/embedding/index.ts";
import { TokenQuery } from "../../../src/memory/search/query-vectors.ts";

const DIMENSIONS = 16;

const token = fc.record({
  text: fc.constantFrom("the", "museum", "?", "opens"),
  vector: fc
    .array(fc.double({ min: -1, max: 1, noNaN: true }), {
      minLength: DIMENSIONS,
      maxLength: DIMENSIONS,
    })
    .map((values) => Float32Array.from(values)),
});
const reading = fc
  .array(token, { minLength: 1, maxLength: 6 })
  .map((tokens): Reading => ({ vector: new Float32Array(DIMENSIONS), tokens }));

describe("late interaction", () => {
  it("is the weighted mean of the best dot products with the signs", () => {
    fc.assert(
      fc.property(reading, reading, (query, text) => {
        const signs = text.tokens.map(({ vector }) => vector.map((value) => (value > 0 ? 1 : -1)));
        let total = 0;
        let weights = 0;
        for (const { text: word, vector } of query.tokens) {
          const weight = word === "the" || word === "?" ? 0.3 : 1;
          const unit = normalise(vector);
          const products = signs.map((own) =>
            own.reduce((sum, sign, index) => sum + (sign * (unit[index] ?? 0)) / 4, 0),
          );
          total += weight * Math.max(...products);
          weights += weight;
        }
        const [actual] = new TokenQuery(query).similarities([encodeTokenSigns(text)]);
        expect(actual).toBeCloseTo(total / weights, 4);
      }),
    );
  });

  it("is undefined without tokens", () => {
    const some: Reading = {
      vector: new Float32Array(DIMENSIONS),
      tokens: [{ text: "museum", vector: new Float32Array(DIMENSIONS).fill(1) }],
    };
    const none: Reading = { vector: new Float32Array(DIMENSIONS), tokens: [] };
    const [nothing, something] = [encodeTokenSigns(none), encodeTokenSigns(some)];
    const [one, other] = new TokenQuery(some).similarities([nothing, something]);
    expect(one).toBeUndefined();
    expect(other).toBeCloseTo(1, 3);
    expect(new TokenQuery(none).similarities([something])).toEqual([undefined]);
  });
});

it("stores sign bits of at most 128 tokens", () => {
  const tokens = Array.from({ length: 500 }, () => ({
    text: "word",
    vector: new Float32Array(384).fill(1),
  }));
  expect(encodeTokenSigns({ vector: new Float32Array(384), tokens }).length).toBe(128 * 48);
});
