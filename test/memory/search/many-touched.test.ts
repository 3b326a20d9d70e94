import { expect, it } from "vitest";
import { createTestMemory } from "../../support/test-memory.ts";
import { countTurns } from "../../support/turns.ts";

const EPISODES = 1_500;

it("loads the texts of many changed items in slices, yielding in between", async () => {
  await countTurns(async (turn) => {
    const turns: number[] = [];
    const loads = /^select "id", "content", "asserted_by", "occurred_at" from "episodes"/;
    await using test = createTestMemory({
      onStatement: (text) => loads.test(text) && turns.push(turn()),
    });
    const ops = Array.from({ length: EPISODES }, (_, n) => ({
      op: "remember",
      content: `Note ${n}`,
    }));
    await test.call("apply", { changeset: JSON.stringify(ops) });
    await test.call("undo", {});
    turns.length = 0;
    await test.call("redo", {});
    expect(new Set(turns).size).toBeGreaterThanOrEqual(6);
    const { episodes } = await test.call("recall", { query: "1499" });
    expect(episodes[0]?.id).toBe("ep:1500");
  });
});
