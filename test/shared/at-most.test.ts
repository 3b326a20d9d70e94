import { expect, it } from "vitest";
import { eachAtMost } from "../../src/shared/at-most.ts";

it("does so many at once, and answers in the order of the items", async () => {
  const ends: (() => void)[] = [];
  let running = 0;
  let most = 0;
  const working = eachAtMost([1, 2, 3, 4, 5], 2, async (item) => {
    running += 1;
    most = Math.max(most, running);
    await new Promise<void>((end) => ends.push(end));
    running -= 1;
    return item * 10;
  });
  for (let ended = 0; ended < 5; ended += 1) {
    await expect.poll(() => ends.length).toBeGreaterThan(0);
    ends.pop()?.();
  }
  expect(await working).toEqual([10, 20, 30, 40, 50]);
  expect(most).toBe(2);
});

it("throws what one of them throws", async () => {
  const failing = eachAtMost(["a", "b"], 1, (item) => Promise.reject(new Error(item)));
  await expect(failing).rejects.toThrow("a");
});
