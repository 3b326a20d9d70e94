import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Activation, NO_ACTIVATION } from "../../../src/memory/recall/activation.ts";
import { explainActivation } from "../../../src/memory/recall/explain-score.ts";
import { activationOf, rank, scoreOf } from "../../../src/memory/recall/rank.ts";
import { scoreSimilarity } from "../../../src/memory/recall/score-similarity.ts";

const share = fc.double({ min: 0, max: 1.5, noNaN: true });
const activation: fc.Arbitrary<Activation> = fc.record({
  text: share,
  vector: share,
  tokens: share,
  cosine: fc.constant(undefined),
  entity: fc.constantFrom(0, 1),
  date: share,
  session: share,
  neighbours: share,
  evidence: share,
  relations: share,
  question: fc.constantFrom(0, -0.3),
  echo: share,
  standing: share,
  voice: fc.constantFrom(0, -0.3),
  steps: fc.constantFrom(0, -0.6),
});

describe("the score of an activation", () => {
  it("is 0 without any, stays below 1 and rises with each part", () => {
    expect(scoreOf(NO_ACTIVATION, 1)).toBe(0);
    fc.assert(
      fc.property(activation, fc.double({ min: 0.01, max: 1, noNaN: true }), (parts, more) => {
        expect(scoreOf(parts, 1)).toBeLessThan(1);
        expect(scoreOf({ ...parts, evidence: parts.evidence + more }, 1)).toBeGreaterThanOrEqual(
          scoreOf(parts, 1),
        );
      }),
    );
  });

  it("is explained by parts that add up", () => {
    fc.assert(
      fc.property(activation, (parts) => {
        const { activation: total, cosine: _cosine, ...rest } = explainActivation(parts);
        const sum = Object.values(rest).reduce((a, b) => a + b, 0);
        expect(sum).toBeCloseTo(total, 4);
        expect(total).toBeCloseTo(activationOf(parts), 5);
      }),
    );
  });
});

describe("the score of a similarity", () => {
  const background = { mean: 0.04, noise: 0.27 };

  it("is 1 for a clear best match and 0 at the background", () => {
    expect(scoreSimilarity(0.8, 0.8, background)).toBe(1);
    expect(scoreSimilarity(0.04, 0.8, background)).toBe(0);
  });

  it("stays low for the best of bad matches", () => {
    expect(scoreSimilarity(0.28, 0.28, background)).toBeCloseTo(0.52, 2);
  });

  it("is a number in 0..1 for any model, a constant one too", () => {
    const cosine = fc.double({ min: -1, max: 1, noNaN: true });
    fc.assert(
      fc.property(
        cosine,
        cosine,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (one, best, noise) => {
          const score = scoreSimilarity(one, best, { mean: noise / 2, noise });
          expect(score >= 0 && score <= 1).toBe(true);
        },
      ),
    );
    expect(scoreSimilarity(1, 1, { mean: 1, noise: 1 })).toBe(0);
  });
});

describe("rank", () => {
  const item = (number: number, text: number): [number, Activation] => [
    number,
    { ...NO_ACTIVATION, text },
  ];
  const order = (items: [number, Activation][], count = 10, least = 0) =>
    rank(items, (parts) => parts, { count, least, certainty: 1 }).map(({ number }) => number);

  it("puts the highest first and the newest first among equals", () => {
    expect(order([item(1, 0.2), item(2, 0.9), item(3, 0.2)])).toEqual([2, 3, 1]);
  });

  it("leaves out what has no activation or too little", () => {
    expect(order([item(1, 0), item(2, 0.1)])).toEqual([2]);
    expect(order([item(1, 0.1), item(2, 2)], 10, 0.5)).toEqual([2]);
    expect(order([item(1, 1), item(2, 2)], 0)).toEqual([]);
  });
});
