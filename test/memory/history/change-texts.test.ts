import { expect, it } from "vitest";
import { createTestMemory } from "../../support/test-memory.ts";

it("includes text previews of a change's items, also deleted ones", async () => {
  await using test = createTestMemory();
  await test.apply(
    'remember "Port 1." episode_type=fact entities=tool:x',
    'remember "Port 2." episode_type=fact entities=tool:x',
    'conflict fact_a=fact:1 fact_b=fact:2 "Two ports"',
  );
  await test.call("remember", { content: `${"😀".repeat(300)}` });
  await test.call("delete", { id: "ep:1" });
  const { changes } = await test.call("changes", { texts: true });
  expect(changes[0]?.texts).toEqual({ "ep:1": "Port 1." });
  expect(Array.from(changes[1]?.texts?.["ep:3"] ?? "")).toHaveLength(200);
  expect(changes[2]?.texts).toMatchObject({ "ep:2": "Port 2.", "conflict:1": "Two ports" });
  const plain = await test.call("changes", {});
  expect(plain.changes[0]).not.toHaveProperty("texts");
});

it("returns the change of a write, or nothing if nothing changed", async () => {
  await using test = createTestMemory();
  const messages: string[] = [];
  const options = { onChange: (change: string) => messages.push(change) };
  await test.memory.execute("remember", { content: "One" }, options);
  await test.memory.execute("apply", { changeset: 'remember "Two"', dry_run: true }, options);
  await test.memory.execute("stats", {}, options);
  expect(messages).toEqual(["change:1"]);
});
