import { expect, it, vi } from "vitest";
import { ALONE, SharedSearch } from "../../../src/memory/context/shared-search.ts";

it("tells each layer what all of them tell", async () => {
  const shared = new SharedSearch(["mine", "team"]);
  const told = await Promise.all([
    shared.of("mine").gather("best", 1),
    shared.of("team").gather("best", 2),
  ]);
  expect(told).toEqual([
    [1, 2],
    [1, 2],
  ]);
  expect(await ALONE.gather("best", 3)).toEqual([3]);
});

it("does not wait for a layer that has left", async () => {
  const shared = new SharedSearch(["mine", "team"]);
  const mine = shared.of("mine").gather("best", 1);
  shared.leave("team");
  expect(await mine).toEqual([1]);
  expect(await shared.of("mine").gather("next", 4)).toEqual([4]);
});

it("waits once for a layer that hangs, which finds later what the others told", async () => {
  vi.useFakeTimers();
  try {
    const shared = new SharedSearch(["mine", "team", "company"]);
    const nearer = ["mine", "team"].map((layer) => shared.of(layer).gather("best", layer));
    await vi.advanceTimersByTimeAsync(250);
    expect(await Promise.all(nearer)).toEqual([
      ["mine", "team"],
      ["mine", "team"],
    ]);
    const next = ["mine", "team"].map((layer) => shared.of(layer).gather("next", layer));
    expect(await Promise.all(next)).toHaveLength(2);
    expect(vi.getTimerCount()).toBe(0);
    expect(await shared.of("company").gather("best", "company")).toEqual([
      "mine",
      "team",
      "company",
    ]);
  } finally {
    vi.useRealTimers();
  }
});
