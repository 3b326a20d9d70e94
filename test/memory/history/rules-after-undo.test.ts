import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { diagnose, repair } from "../../../src/memory/index.ts";
import { createTestMemory, type TestMemory } from "../../support/test-memory.ts";

async function twoFacts(): Promise<TestMemory> {
  const test = createTestMemory();
  await test.apply(
    'remember t=fact e=tool:x "The port is 1"',
    'remember t=fact e=tool:x "The port is 2"',
  );
  return test;
}

async function requireSound(test: TestMemory): Promise<void> {
  expect((await diagnose(test.memory)).findings).toEqual([]);
}

async function statuses(test: TestMemory) {
  const { timeline } = await test.call("get_fact", { fact_id: "fact:1" });
  return timeline.map(({ id, status }) => [id, status]);
}

it("refuses a redo after which two facts supersede each other, and names the change", async () => {
  await using test = await twoFacts();
  await test.call("supersede", { old: "fact:1", new: "fact:2" });
  await test.call("undo");
  await test.call("supersede", { old: "fact:2", new: "fact:1" });
  const before = await statuses(test);
  const refused = await test.failure("redo", { change: "change:3" });
  expect(refused).toMatchObject({ code: "conflict", details: { standing: ["change:4"] } });
  expect(refused.message).toMatch(/fact:1.*fact:2.*cycle.*change:4/);
  expect(await statuses(test)).toEqual(before);
  expect((await test.call("changes")).count).toBe(4);
  await test.call("redo", { change: "change:3", together: true });
  await requireSound(test);
});

it("refuses to open a conflict again over a fact that was superseded since", async () => {
  await using test = await twoFacts();
  await test.call("open_conflict", { fact_a: "fact:1", fact_b: "fact:2" });
  await test.call("resolve_conflict", { conflict_id: "conflict:1", winning_fact_id: "fact:1" });
  await test.apply('remember t=fact e=tool:x "The port is 3"');
  await test.call("supersede", { old: "fact:1", new: "fact:3" });
  const refused = await test.failure("undo", { change: "change:3" });
  expect(refused).toMatchObject({ code: "conflict", details: { standing: ["change:5"] } });
  expect(refused.message).toMatch(/conflict:1.*fact:1.*superseded since.*change:5/);
  expect((await test.call("list_conflicts", { status: "open" })).conflicts).toEqual([]);
  expect(await test.call("undo", { change: "change:3", together: true })).toMatchObject({
    undo_of: ["change:5", "change:3"],
  });
  await requireSound(test);
});

it("refuses to supersede again over which a conflict is open", async () => {
  await using test = await twoFacts();
  await test.call("supersede", { old: "fact:1", new: "fact:2" });
  await test.call("undo");
  await test.call("open_conflict", { fact_a: "fact:1", fact_b: "fact:2" });
  const refused = await test.failure("redo", { change: "change:3" });
  expect(refused.message).toMatch(/conflict:1 is open.*change:4/);
  await requireSound(test);
});

it("redoes a mention of an entity that was recreated, and undoes it again", async () => {
  await using test = createTestMemory();
  await test.call("remember", { content: "One", entities: "file:x", episode_type: "fact" });
  await test.call("undo");
  await test.call("remember", { content: "Two", entities: "file:x", episode_type: "fact" });
  await test.call("redo", { change: "change:2" });
  expect((await test.call("list_entities")).entities).toMatchObject([
    { id: "file:x", mention_count: 2 },
  ]);
  await requireSound(test);
  await test.call("undo", { change: "change:1" });
  expect((await test.call("list_entities")).entities).toMatchObject([
    { id: "file:x", mention_count: 1 },
  ]);
  await requireSound(test);
});

it("retains an entity that an undo may need when another item is purged", async () => {
  await using test = createTestMemory();
  await test.call("remember", { content: "One", entities: "person:Ada" });
  await test.call("remember", { content: "Two", entities: "person:Ada" });
  await test.call("update_episode", { episode_id: "ep:1", entities: "person:Bob" });
  await test.call("purge", { ids: "ep:2" });
  await test.call("undo", { change: "change:3" });
  expect((await test.call("get_episode", { episode_id: "ep:1" })).entities).toEqual(["person:Ada"]);
  await requireSound(test);
});

it("the doctor resolves an existing supersession cycle as a recorded change", async () => {
  await using test = await twoFacts();
  await test.call("supersede", { old: "fact:1", new: "fact:2" });
  await test.call("undo");
  await test.call("supersede", { old: "fact:2", new: "fact:1" });
  await (await test.memory.database()).write(async (tx) => {
    await tx.run(
      sql`update facts set status = 'superseded', superseded_by = 2, valid_to = created_at where id = 1`,
    );
  });
  const { findings } = await diagnose(test.memory);
  expect(findings).toContainEqual(
    expect.objectContaining({ problem: expect.stringMatching(/cycle/), fixable: true }),
  );
  expect((await repair(test.memory)).findings).toEqual([]);
  expect((await test.call("recall", { entity: "tool:x", query: "port" })).concepts).toHaveLength(1);
  expect(await statuses(test)).toEqual([
    ["fact:1", "active"],
    ["fact:2", "superseded"],
  ]);
});

it("removes a dismissed conflict with its fact", async () => {
  await using test = createTestMemory();
  await test.apply('remember t=fact e=tool:x "The port is 1"');
  await test.apply('remember t=fact e=tool:x "The port is 2"');
  await test.call("open_conflict", { fact_a: "fact:2", fact_b: "fact:1" });
  await test.call("resolve_conflict", { conflict_id: "conflict:1", winning_fact_id: "fact:1" });
  await test.call("undo");
  await test.call("dismiss_conflict", { conflict_id: "conflict:1" });
  const refused = await test.failure("undo", { change: "change:1" });
  expect(refused).toMatchObject({ code: "conflict" });
  await test.call("undo", { change: "change:1", together: true });
  expect((await test.call("list_conflicts", { status: "dismissed" })).conflicts).toEqual([]);
  await requireSound(test);
});
