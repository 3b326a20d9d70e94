import { expect, it } from "vitest";
import { pruneSources } from "../../../src/ingest/sources/index.ts";
import { createTestMemory } from "../../support/test-memory.ts";

const NOW = new Date("2026-06-01T12:00:00.000Z");
const NO_RULE = { age: "off" };

async function createFilledMemory() {
  const opened = createTestMemory();
  const { memory } = opened;
  const read = (kind: string, key: string, at: string) =>
    memory.execute("read_source", {
      ...{ kind, key },
      passages: [
        { key: "1", by: "user", text: `What ${key} said`.padEnd(1_000, "."), occurred_at: at },
      ],
    });
  await read("git", "history", "2020-01-01T09:00:00.000Z");
  await read("codex", "oldest", "2025-01-01T09:00:00.000Z");
  await read("claude-code", "older", "2026-01-01T09:00:00.000Z");
  await read("claude-code", "newest", "2026-05-31T09:00:00.000Z");
  const kept = async () =>
    (await memory.execute("list_sources", {})).sources.map(({ key }) => key).sort();
  return { memory, kept, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() };
}

it("forgets inactive sessions in one undoable change", async () => {
  await using fixture = await createFilledMemory();
  const { memory, kept } = fixture;
  const before = (await memory.execute("changes", {})).changes.length;
  expect(await pruneSources(memory, { ...NO_RULE, age: "30d" }, NOW)).toBe(2);
  expect(await kept()).toEqual(["history", "newest"]);
  const { changes } = await memory.execute("changes", {});
  expect(changes).toHaveLength(before + 1);
  await memory.execute("undo", { change: changes[0]?.id ?? "" });
  expect(await kept()).toEqual(["history", "newest", "older", "oldest"]);
});

it("forgets only the oldest sessions above the size limit", async () => {
  await using fixture = await createFilledMemory();
  const { memory, kept } = fixture;
  expect(await pruneSources(memory, NO_RULE, NOW, 3_500)).toBe(1);
  expect(await kept()).toEqual(["history", "newest", "older"]);
  expect(await pruneSources(memory, NO_RULE, NOW, 3_500)).toBe(0);
});

it("forgets nothing without a rule", async () => {
  await using fixture = await createFilledMemory();
  const { memory, kept } = fixture;
  expect(await pruneSources(memory, NO_RULE, NOW)).toBe(0);
  expect(await kept()).toHaveLength(4);
});
