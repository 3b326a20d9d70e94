import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OWNER } from "../../../src/shared/caller.ts";
import { createTestMemory } from "../../support/test-memory.ts";

describe("metadata", () => {
  it("is stored unchanged or rejected with a message", async () => {
    await using test = createTestMemory();
    const value = fc.object({ key: fc.oneof(fc.string(), fc.constant("__proto__")), maxDepth: 2 });
    await fc.assert(
      fc.asyncProperty(value, fc.boolean(), async (input, asText) => {
        const text = JSON.stringify(input);
        const metadata = asText ? text : JSON.parse(text);
        const stored = await test.memory
          .executeNamed("remember", { content: "x", metadata }, { caller: OWNER })
          .catch((error: Error) => error);
        if (stored instanceof Error) {
          expect([text.includes("__proto__") || text.includes("\\u"), stored.message]).toEqual([
            true,
            expect.stringContaining("metadata: "),
          ]);
          return;
        }
        const { id } = stored as { id: string };
        const episode = await test.call("get_episode", { episode_id: id });
        expect(episode.metadata).toEqual(JSON.parse(text));
      }),
      { numRuns: 60 },
    );
  });

  it.each([JSON.parse('{"__proto__": 1}'), '{"a": {"__proto__": {}}}'])(
    "with a key that would be lost is refused: %j",
    async (metadata) => {
      await using test = createTestMemory();
      expect(await test.failure("remember", { content: "x", metadata })).toMatchObject({
        code: "invalid_input",
        message: expect.stringMatching(/metadata: cannot have a key "__proto__"/),
      });
    },
  );
});

it("normalizes composed and decomposed letters in labels", async () => {
  await using test = createTestMemory();
  await test.call("remember", { content: "x", labels: "k=caf\u00e9, k=cafe\u0301" });
  const { labels } = await test.call("list_labels");
  expect(labels).toEqual([{ key: "k", value: "caf\u00e9", count: 1 }]);
  const { episodes } = await test.call("list_episodes", { labels: "k=cafe\u0301" });
  expect(episodes).toHaveLength(1);
});

it("rejects a changeset nested too deeply", async () => {
  await using test = createTestMemory();
  for (const changeset of [
    "[".repeat(10_000) + "]".repeat(10_000),
    `[${'{"a":'.repeat(9_000)}1${"}".repeat(9_000)}]`,
  ]) {
    expect(await test.failure("apply", { changeset })).toMatchObject({ code: "changeset_failed" });
  }
});
