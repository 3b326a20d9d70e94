import { expect, it } from "vitest";
import { GroupedCounts } from "../../src/database/grouped-counts.ts";
import { type Addition, CountsInMemory } from "../../src/shared/shared-counts.ts";

function counted() {
  const inner = new CountsInMemory();
  const sent: number[] = [];
  const counts = new GroupedCounts({
    async add(addition) {
      sent.push(addition.added);
      await new Promise((resolve) => setImmediate(resolve));
      return inner.add(addition);
    },
  });
  return { counts, inner, sent };
}

const of = (further: Partial<Addition> = {}) => ({
  ...{ key: "ada", period: 1, added: 1, most: 10 },
  ...further,
});

it("batches concurrent requests, and admits exactly the limit", async () => {
  const { counts, sent } = counted();
  const asked = Array.from({ length: 30 }, () => counts.add(of()));
  const answers = await Promise.all(asked);
  expect(answers.filter(({ isAdded }) => isAdded)).toHaveLength(10);
  expect(answers.map(({ isAdded }) => isAdded).indexOf(false)).toBe(10);
  expect(answers.slice(0, 10).map(({ before }) => before)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  // The first call, then all waiting ones, then as many as fit.
  expect(sent).toEqual([1, 29, 9]);
  await counts.add(of());
  expect(sent).toHaveLength(3);
  expect((await counts.add(of({ period: 2 }))).isAdded).toBe(true);
});

it("rejects one that is too large, and admits smaller ones", async () => {
  const { counts } = counted();
  const added = [1, 4, 9, 3, 5].map((one) => counts.add(of({ added: one })));
  const answers = await Promise.all(added);
  expect(answers.map(({ isAdded }) => isAdded)).toEqual([true, true, false, true, false]);
});

it("counts additions of others, and reports a failure to each caller", async () => {
  const { counts, inner } = counted();
  await inner.add(of({ added: 9 }));
  const answers = await Promise.all([
    counts.add(of()),
    counts.add(of()),
    counts.add(of({ most: 20 })),
  ]);
  expect(answers.map(({ isAdded }) => isAdded)).toEqual([true, false, true]);
  const broken = new GroupedCounts({ add: () => Promise.reject(new Error("Away.")) });
  const failed = await Promise.allSettled([broken.add(of()), broken.add(of())]);
  expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
});
