import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { WaitingRecalls } from "../../../src/memory/search/shared-batch.ts";
import { createTestMemory } from "../../support/test-memory.ts";
import { createWordEmbedder } from "../../support/word-embedder.ts";

it("does not store a vector of outdated text as current after the queue was empty", async () => {
  const slow = createWordEmbedder();
  await using test = createTestMemory({ embedder: slow });
  await using quick = createTestMemory({ embedder: createWordEmbedder(), folder: test.folder });
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
  await using fresh = createTestMemory({ embedder: createWordEmbedder() });
  await fresh.call("remember", { content: "a giraffe walks" });
  await fresh.memory.makeMissingVectors();
  const [expected] = await (await fresh.memory.database()).read(async (tx) =>
    tx.all<{ vector: Buffer }>(sql`select vector from vectors where kind = 'episode'`),
  );
  expect(row?.vector.equals(expected?.vector ?? Buffer.of())).toBe(true);
});

it("concurrent requests compute each vector once", async () => {
  const embedder = createWordEmbedder();
  embedder.delayMs = 5;
  await using test = createTestMemory({ embedder });
  const contents = Array.from({ length: 40 }, (_, n) => `the zebra sleeps ${n} hours`);
  await test.apply(...contents.map((content) => `remember "${content}"`));
  const left = await Promise.all([1, 2, 3].map(() => test.memory.makeMissingVectors()));
  expect(left).toEqual([0, 0, 0]);
  const made = embedder.seen.filter((text) => contents.includes(text));
  expect(made.toSorted()).toEqual(contents.toSorted());
});

it("an urgent request does not wait for another's batch", async () => {
  const embedder = createWordEmbedder();
  await using test = createTestMemory({ embedder });
  await test.apply(...[1, 2, 3].map((n) => `remember "the zebra sleeps ${n} hours"`));
  let release: (() => void) | undefined;
  const embed = embedder.embed.bind(embedder);
  embedder.embed = async (texts, options) => {
    if (options?.role !== "query") await new Promise<void>((resolve) => (release = resolve));
    return embed(texts, options);
  };
  const slow = test.memory.makeMissingVectors();
  await expect.poll(() => release).toBeDefined();
  const { partial } = await test.call("recall", { query: "zebra", timeout_ms: 100 });
  expect(partial).toBe(true);
  embedder.embed = embed;
  release?.();
  expect(await slow).toBe(0);
});

it("concurrent recalls wait for the same vectors", async () => {
  const embedder = createWordEmbedder();
  // Long enough that no recall gives up, even on a busy machine.
  const waiting = new WaitingRecalls(180_000);
  await using test = createTestMemory({ embedder, waiting });
  const contents = Array.from({ length: 3_000 }, (_, n) => `the zebra sleeps ${n} hours`);
  await test.apply(...contents.map((content) => `remember "${content}"`));
  const found = await Promise.all(
    Array.from({ length: 12 }, () => test.call("recall", { query: "zebra" })),
  );
  expect(found.map(({ partial }) => partial)).toEqual(found.map(() => true));
  const made = embedder.seen.filter((text) => contents.includes(text)).length;
  expect(made).toBeGreaterThanOrEqual(500);
  expect(made).toBeLessThan(1_000);
});
