import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { firstOf } from "../../src/shared/first-of.ts";

describe("the first of many", () => {
  it("are those that stand first where all are put in order", () => {
    const distinct = fc.uniqueArray(fc.integer(), { maxLength: 60 });
    fc.assert(
      fc.property(distinct, fc.nat({ max: 70 }), (items, count) => {
        const compare = (a: number, b: number) => b - a;
        expect(firstOf(items, count, compare)).toEqual(items.toSorted(compare).slice(0, count));
      }),
    );
  });
});
