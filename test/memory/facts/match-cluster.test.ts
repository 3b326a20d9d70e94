import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jaccardSimilarity, matchCluster } from "../../../src/memory/facts/match-cluster.ts";

const entities = fc.uniqueArray(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 5 });
const candidates = fc.array(fc.record({ clusterId: fc.integer({ min: 1, max: 4 }), entities }), {
  maxLength: 12,
});

describe("matchCluster", () => {
  it("joins the cluster of a fact with the same entities, the oldest of equals", () => {
    fc.assert(
      fc.property(entities, candidates, (expected, others) => {
        const exact = { clusterId: 2, entities: [...expected] };
        const best = matchCluster(expected, [...others, exact]);
        expect(best).toBeDefined();
        expect(best).toBeLessThanOrEqual(2);
      }),
    );
  });

  it("joins if and only if a similarity reaches 0.5", () => {
    fc.assert(
      fc.property(entities, candidates, (expected, given) => {
        const unions = new Map<number, Set<number>>();
        for (const { clusterId, entities: own } of given) {
          unions.set(clusterId, new Set([...(unions.get(clusterId) ?? []), ...own]));
        }
        const all = [...given.map((c) => new Set(c.entities)), ...unions.values()];
        const reached = all.some((set) => jaccardSimilarity(new Set(expected), set) >= 0.5);
        expect(matchCluster(expected, given) !== undefined).toBe(reached);
      }),
    );
  });
});
