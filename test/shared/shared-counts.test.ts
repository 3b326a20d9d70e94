import { expect, it } from "vitest";
import { type Added, CountsInMemory, SharedStoreCounts } from "../../src/shared/shared-counts.ts";
import { TestClock } from "../../src/testing/test-clock.ts";

const ONE = { key: "requests ada", period: 1, added: 1, most: 2 };

it("counts locally on failure, warns once, and retries", async () => {
  const clock = new TestClock();
  const others = new CountsInMemory();
  const place = { isWritable: false };
  const told: unknown[] = [];
  const counts = new SharedStoreCounts(
    {
      add: (addition): Promise<Added> =>
        place.isWritable ? others.add(addition) : Promise.reject(new Error("only reads")),
    },
    clock,
    (error) => told.push(error),
  );
  const three = [counts.add(ONE), counts.add(ONE), counts.add(ONE)];
  expect((await Promise.all(three)).map(({ isAdded }) => isAdded)).toEqual([true, true, false]);
  expect(told).toEqual([new Error("only reads")]);
  place.isWritable = true;
  expect(await counts.add(ONE)).toEqual({ isAdded: false, before: 2 });
  clock.advance(60_000);
  expect(await counts.add(ONE)).toEqual({ isAdded: true, before: 0 });
  expect(await others.add(ONE)).toEqual({ isAdded: true, before: 1 });
  expect(told).toHaveLength(1);
});
