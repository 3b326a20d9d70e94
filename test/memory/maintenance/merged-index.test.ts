// @module-tag long: builds an index from many writes.
import { expect, it } from "vitest";
import { diagnose } from "../../../src/memory/index.ts";
import { createTestMemory } from "../../support/test-memory.ts";

// The read connection caches index structure, which becomes stale after a segment merge.
it("accepts a text index with merged segments", async () => {
  await using test = createTestMemory();
  await test.apply('remember "seed"', 'remember "seed two"', "concept title=S from=ep:1");
  for (let round = 0; round < 40; round += 1) {
    await test.call("update_episode", { episode_id: "ep:1", content: `u ${round}` });
    expect((await diagnose(test.memory)).findings, `round ${round}`).toEqual([]);
  }
});
