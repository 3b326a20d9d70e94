import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { topK } from "../../src/shared/collections.ts";

describe("the first of many", () => {
  it("equals the beginning of the sorted list", () => {
    const distinct = fc.uniqueArray(fc.integer(), { maxLength: 60 });
    fc.assert(
      fc.property(distinct, fc.nat({ max: 70 }), (items, count) => {
        const compare = (a: number, b: number) => b - a;
        expect(topK(items, count, compare)).toEqual(items.toSorted(compare).slice(0, count));
      }),
    );
  });
});
