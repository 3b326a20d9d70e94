import { expect, it } from "vitest";
import { createOperations } from "../../../src/memory/index.ts";
import { OWNER } from "../../../src/shared/caller.ts";
import { createTestMemory } from "../../support/test-memory.ts";

const GONE = new Error("nobody waits");

it("an aborted call starts no operation", async () => {
  await using test = createTestMemory();
  const signal = AbortSignal.abort(GONE);
  for (const name of createOperations().keys()) {
    await expect(test.memory.executeNamed(name, {}, { caller: OWNER, signal }), name).rejects.toBe(
      GONE,
    );
  }
  expect(await test.memory.isThere()).toBe(false);
});

it("a write aborted while waiting stores nothing", async () => {
  await using test = createTestMemory();
  await test.call("remember", { content: "one" });
  const database = await test.memory.database();
  const stop = new AbortController();
  let letGo: () => void = () => undefined;
  const pending = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const holding = database.write(() => pending);
  const writing = test.memory.executeNamed(
    "remember",
    { content: "two" },
    { caller: OWNER, signal: stop.signal },
  );
  stop.abort(GONE);
  await expect(writing).rejects.toBe(GONE);
  letGo();
  await holding;
  expect((await test.call("stats")).episodes.total).toBe(1);
});

it("a write aborted midway is rolled back", async () => {
  await using test = createTestMemory();
  const stop = new AbortController();
  const changeset = Array.from({ length: 400 }, (_, n) => `remember "note ${n}"`).join("\n");
  const writing = test.memory.executeNamed(
    "apply",
    { changeset },
    { caller: OWNER, signal: stop.signal },
  );
  setImmediate(() => stop.abort(GONE));
  await expect(writing).rejects.toBe(GONE);
  expect((await test.call("stats")).episodes.total).toBe(0);
});

it("a read aborted during consumption returns nothing", async () => {
  await using test = createTestMemory();
  await test.call("remember", { content: "one" });
  const stop = new AbortController();
  const reading = test.memory.executeNamed(
    "recall",
    { query: "one" },
    { caller: OWNER, signal: stop.signal },
  );
  stop.abort(GONE);
  await expect(reading).rejects.toBe(GONE);
});
