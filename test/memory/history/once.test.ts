import { expect, it } from "vitest";
import { idempotencyKeys } from "../../../src/memory/context/meta.table.ts";
import { createTestMemory } from "../../support/test-memory.ts";

it("stores a repeated named request once and returns the same result", async () => {
  await using testMemory = createTestMemory();
  const { memory } = testMemory;
  const once = { name: "question.0", settled: [] };
  const first = await memory.execute("remember", { content: "Asked twice" }, { once });
  const again = await memory.execute("remember", { content: "Asked twice" }, { once });
  expect(again).toEqual(first);
  expect((await memory.execute("list_episodes", {})).total).toBe(1);
});

it("ignores dry runs and failures, so that they can be repeated", async () => {
  await using testMemory = createTestMemory();
  const { memory } = testMemory;
  const once = { name: "question.0", settled: [] };
  const dry = { changeset: 'remember "Rehearsed"', dry_run: true };
  await memory.execute("apply", dry, { once });
  await expect(memory.execute("apply", { changeset: "nonsense" }, { once })).rejects.toThrow();
  await memory.execute("apply", { changeset: 'remember "Written"' }, { once });
  expect((await memory.execute("list_episodes", {})).total).toBe(1);
});

it("deletes a confirmed response with the next write", async () => {
  await using testMemory = createTestMemory();
  const { memory } = testMemory;
  const kept = async () => {
    const database = await memory.database();
    return database.read(async (tx) => (await tx.select().from(idempotencyKeys)).length);
  };
  const write = (name: string, settled: readonly string[]) =>
    memory.execute("remember", { content: name }, { once: { name, settled } });
  await write("a.0", []);
  expect(await kept()).toBe(1);
  await write("b.0", ["a.0"]);
  expect(await kept()).toBe(1);
  await write("c.0", ["a.0", "b.0"]);
  expect(await kept()).toBe(1);
});
