import { expect, it } from "vitest";
import { settleAll } from "../../src/shared/async.ts";
import { waitUntil } from "../support/wait-until.ts";

it("waits for all concurrent work before throwing the first failure", async () => {
  const ended: string[] = [];
  const after = async (before: number, name: string, error?: Error) => {
    await waitUntil(() => ended.length === before, { intervalMs: 1 });
    ended.push(name);
    if (error !== undefined) throw error;
    return name;
  };
  expect(await settleAll(after(1, "a"), after(0, "b"))).toEqual(["a", "b"]);
  const first = after(3, "slow", new Error("of the first"));
  const work = [first, after(2, "quick", new Error("of the second")), after(4, "last")];
  await expect(settleAll(...work)).rejects.toThrow("of the first");
  expect(ended).toEqual(["b", "a", "quick", "slow", "last"]);
});
