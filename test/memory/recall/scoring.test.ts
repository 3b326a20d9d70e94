import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Activation,
  computeActivation,
  explainActivation,
  findLowestShown,
  NO_ACTIVATION,
  rankItems,
} from "../../../src/memory/recall/rank.ts";
import { CONTRIBUTION_KINDS } from "../../../src/memory/recall/recall.schema.ts";
import { computeQueryMeasures, computeRelevance } from "../../../src/memory/recall/relevance.ts";
import { scoreSimilarity } from "../../../src/memory/recall/score-similarity.ts";

const share = fc.double({ min: 0, max: 1.5, noNaN: true });
const activation: fc.Arbitrary<Activation> = fc.record({
  text: share,
  vector: share,
  tokens: share,
  cosine: fc.constant(undefined),
  similarity: fc.constant(undefined),
  coverage: fc.constant(0),
  rarity: fc.constant(0),
  containedWords: fc.constant(0),
  isTurn: fc.boolean(),
  isRejecting: fc.boolean(),
  strongestSource: fc.constant(undefined),
  score: fc.constant(0),
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
  it("is explained by parts that add up", () => {
    fc.assert(
      fc.property(activation, (parts) => {
        const { activation: total, ...explained } = explainActivation(parts);
        const sum = CONTRIBUTION_KINDS.reduce((all, kind) => all + explained[kind], 0);
        expect(sum).toBeCloseTo(total, 4);
        expect(total).toBeCloseTo(computeActivation(parts), 5);
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
  const item = (number: number, score: number): [number, Activation] => [
    number,
    { ...NO_ACTIVATION, score },
  ];
  const order = (items: [number, Activation][], count = 10, least = 0) =>
    rankItems(items, (parts) => parts, { count, minScore: least }).map(({ number }) => number);

  it("puts the highest first and the newest first among equals", () => {
    expect(order([item(1, 0.2), item(2, 0.9), item(3, 0.2)])).toEqual([2, 3, 1]);
  });

  it("keeps the order of activation among items raised to one score", () => {
    const raised = (number: number, text: number): [number, Activation] => [
      number,
      { ...NO_ACTIVATION, text, score: 0.35 },
    ];
    expect(order([raised(1, 0.4), raised(2, 0.9), raised(3, 0.1)], 2)).toEqual([2, 1]);
  });

  it("leaves out what has no activation or too little", () => {
    expect(order([item(1, 0), item(2, 0.1)])).toEqual([2]);
    expect(order([item(1, 0.1), item(2, 0.7)], 10, 0.5)).toEqual([2]);
    expect(order([item(1, 1), item(2, 2)], 0)).toEqual([]);
  });
});

describe("relevance", () => {
  const measures = {
    ...{
      coverage: 0,
      rarity: 0,
      containedWords: 0,
      entity: 0,
      question: 0,
      date: 0,
      activation: 0,
      isTurn: false,
    },
    ...{ voice: 0, steps: 0, standing: 0 },
  };

  it("is above the cut for an item that contains every word of the query", () => {
    const item = { ...measures, coverage: 1, containedWords: 1 };
    const query = computeQueryMeasures([item], { words: 1, vectors: undefined });
    expect(computeRelevance(item, query)).toBeGreaterThan(findLowestShown(undefined, []));
  });

  it("keeps the order of activation among turns, whatever their words", () => {
    const vectors = { vector: { mean: 0.1, noise: 0.4 }, tokens: undefined };
    const turn = { ...measures, isTurn: true, cosine: 0.3 };
    const first = { ...turn, activation: 4 };
    const second = {
      ...turn,
      activation: 3.5,
      coverage: 0.8,
      containedWords: 3,
      isRejecting: true,
    };
    const query = computeQueryMeasures([first, second], { words: 3, vectors });
    expect(computeRelevance(first, query)).toBeGreaterThan(computeRelevance(second, query));
  });

  it("is below the cut for an item that only its session activates", () => {
    const match = { ...measures, isTurn: false, coverage: 1, containedWords: 3, activation: 2 };
    const other = { ...measures, activation: 1.5 };
    const query = computeQueryMeasures([match, other], { words: 1, vectors: undefined });
    expect(computeRelevance(other, query)).toBeLessThan(findLowestShown(undefined, []));
  });

  it("follows the activation among turns", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 4, noNaN: true }),
        fc.double({ min: 0, max: 4, noNaN: true }),
        (a, b) => {
          const turns = [a, b].map((activation) => ({ ...measures, isTurn: true, activation }));
          const query = computeQueryMeasures(turns, {
            words: 2,
            vectors: { vector: { mean: 0, noise: 0.3 }, tokens: undefined },
          });
          const [first = 0, second = 0] = turns.map((turn) => computeRelevance(turn, query));
          expect(Math.sign(first - second)).toBe(
            Math.abs(a - b) < 1e-9 ? Math.sign(first - second) : Math.sign(a - b),
          );
        },
      ),
    );
  });
});
