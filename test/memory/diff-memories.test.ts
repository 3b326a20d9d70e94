import { expect, it } from "vitest";
import { diffMemories } from "../../src/memory/index.ts";
import { testMemory } from "../support/test-memory.ts";
import { countingTurns } from "../support/turns.ts";

const EPISODES = 2_000;

function episodes(about: string): string {
  const ops = Array.from({ length: EPISODES }, (_, n) => ({
    op: "remember",
    content: `Note ${n} on ${about}`,
    entities: [`file:f${n}`],
    ...(n % 2 === 0 && { episode_type: "fact" }),
  }));
  return JSON.stringify(ops);
}

it("yields to the event loop between pages of two large memories", { tags: ["long"] }, async () => {
  const turns: number[] = [];
  await countingTurns(async (turn) => {
    await using a = testMemory({ onStatement: () => turns.push(turn()) });
    await using b = testMemory();
    await a.call("apply", { changeset: episodes("the cache") });
    await b.call("apply", { changeset: episodes("the queue") });
    turns.length = 0;
    const found = await diffMemories(a.memory, b.memory);
    expect(found.only_in_a).toHaveLength(EPISODES);
    expect(found.facts).toHaveLength(EPISODES / 2);
  });
  // At least four pages of episodes, two of facts and one of concepts.
  expect(new Set(turns).size).toBeGreaterThanOrEqual(7);
});
