import { expect, it } from "vitest";
import { together } from "../../src/kernel/together.ts";

it("work that goes on side by side is all done before the first failure in its order is told", async () => {
  const ended: string[] = [];
  const after = async (ms: number, name: string, error?: Error) => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    ended.push(name);
    if (error !== undefined) throw error;
    return name;
  };
  expect(await together(after(5, "a"), after(1, "b"))).toEqual(["a", "b"]);
  const first = after(20, "slow", new Error("of the first"));
  const work = [first, after(1, "quick", new Error("of the second")), after(40, "last")];
  await expect(together(...work)).rejects.toThrow("of the first");
  expect(ended).toEqual(["b", "a", "quick", "slow", "last"]);
});
