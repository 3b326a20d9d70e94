import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { testMemory } from "../../support/test-memory.ts";
import { createWordEmbedder } from "../../support/word-embedder.ts";

it("a vector of old text is not stored as current, though the queue was empty in between", async () => {
  const slow = createWordEmbedder();
  await using test = testMemory({ embedder: slow });
  await using quick = testMemory({ embedder: createWordEmbedder(), folder: test.folder });
  await test.call("remember", { content: "the zebra sleeps" });
  const embed = slow.embed.bind(slow);
  let release: (() => void) | undefined;
  slow.embed = async (texts, options) => {
    await new Promise<void>((resolve) => {
      release = resolve;
    });
    return embed(texts, options);
  };
  const late = test.memory.makeMissingVectors();
  await expect.poll(() => release).toBeDefined();
  await quick.memory.makeMissingVectors();
  await quick.call("update_episode", { episode_id: "ep:1", content: "a giraffe walks" });
  slow.embed = embed;
  release?.();
  await late;
  await quick.memory.makeMissingVectors();
  const [row] = await (await quick.memory.database()).read(async (tx) =>
    tx.all<{ vector: Buffer }>(sql`select vector from vectors where kind = 'episode'`),
  );
  await using fresh = testMemory({ embedder: createWordEmbedder() });
  await fresh.call("remember", { content: "a giraffe walks" });
  await fresh.memory.makeMissingVectors();
  const [expected] = await (await fresh.memory.database()).read(async (tx) =>
    tx.all<{ vector: Buffer }>(sql`select vector from vectors where kind = 'episode'`),
  );
  expect(row?.vector.equals(expected?.vector ?? Buffer.of())).toBe(true);
});
