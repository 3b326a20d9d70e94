import { expect, it } from "vitest";
import { memoize } from "../../src/shared/collections.ts";

it("calls the function once per key, also if it returns undefined", () => {
  const requestCount: number[] = [];
  const make = memoize((key: number) => {
    requestCount.push(key);
    return key === 0 ? undefined : { key };
  });
  expect([make(1), make(0), make(2), make(0)]).toEqual([
    { key: 1 },
    undefined,
    { key: 2 },
    undefined,
  ]);
  expect(make(1)).toBe(make(1));
  expect(requestCount).toEqual([1, 0, 2]);
});
