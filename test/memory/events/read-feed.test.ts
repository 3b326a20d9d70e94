import fc from "fast-check";
import { expect, it } from "vitest";
import { scanOrLookUp } from "../../../src/memory/events/read-feed.ts";
import { scaleRuns } from "../../support/scale-runs.ts";

function feedOf(length: number, passing: readonly number[], backwards: boolean) {
  const passes = new Set(passing);
  const counted = { looked: 0 };
  const order = (numbers: readonly number[]) =>
    numbers.toSorted((a, b) => (backwards ? b - a : a - b));
  const take = (numbers: readonly number[], limit: number) => {
    const found: number[] = [];
    for (const number of numbers) {
      if (found.length === limit) break;
      counted.looked += 1;
      if (passes.has(number)) found.push(number);
    }
    return found;
  };
  const reader = (limit: number) => ({
    first: backwards ? length : 1,
    last: backwards ? 1 : length,
    limit,
    within: async (from: number, to: number, most: number) => {
      const [low, high] = [Math.min(from, to), Math.max(from, to)];
      return take(order(Array.from({ length: high - low + 1 }, (_, at) => low + at)), most);
    },
    readMatching: async (numbers: readonly number[], most: number) => take(numbers, most),
    findIfFew: async (most: number) => {
      counted.looked += Math.min(passes.size, most + 1);
      return passes.size > most ? undefined : [...passes];
    },
  });
  return { counted, reader, wanted: (limit: number) => order(passing).slice(0, limit) };
}

it("finds matches in order from either end at about the cost of the cheaper method", async () => {
  const length = 60_000;
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 30_000 }),
      fc.integer({ min: 0, max: length }),
      fc.integer({ min: 1, max: 300 }),
      fc.boolean(),
      async (count, start, limit, backwards) => {
        const passing = Array.from({ length: count }, (_, at) => ((start + at) % length) + 1);
        const { counted, reader, wanted } = feedOf(length, passing, backwards);
        const found = await scanOrLookUp(reader(limit));
        expect(found).toEqual(wanted(limit));
        const last = found.length < limit ? undefined : found.at(-1);
        const read = last === undefined ? length : backwards ? length - last : last;
        expect(counted.looked).toBeLessThan(2000 + 8 * Math.min(read, count));
      },
    ),
    { numRuns: scaleRuns(40) },
  );
});

it("reads only one page if everything matches", async () => {
  const passing = Array.from({ length: 50_000 }, (_, at) => at + 1);
  const { counted, reader } = feedOf(50_000, passing, true);
  expect(await scanOrLookUp(reader(50))).toHaveLength(50);
  expect(counted.looked).toBe(50);
});
