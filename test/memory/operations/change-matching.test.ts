import { expect, it } from "vitest";
import { createTestMemory } from "../../support/test-memory.ts";

async function withEpisodes() {
  const test = createTestMemory();
  await test.apply(
    'remember "One" session=s1',
    'remember "Two" session=s1 episode_type=question',
    'remember "Three" session=s2',
    'concept title=Rule from=ep:1 "What follows"',
  );
  return test;
}

it("changes all matching items in one undoable change", async () => {
  await using test = await withEpisodes();
  const trial = await test.call("change_matching", {
    action: "delete",
    session: ["s1"],
    dry_run: true,
  });
  expect(trial).toEqual({ count: 2, dry_run: true });
  await test.call("change_matching", { action: "delete", session: ["s1"], expected: 2 });
  expect((await test.call("stats")).episodes.total).toBe(1);
  await test.call("undo");
  expect((await test.call("stats")).episodes.total).toBe(3);
});

it("labels, files and reviews episodes and concepts alike", async () => {
  await using test = await withEpisodes();
  await test.call("create_topic", { name: "deploys" });
  const all = await test.call("change_matching", { action: "label", value: "area=ci" });
  expect(all.count).toBe(4);
  await test.call("change_matching", { action: "topic", value: "deploys", kinds: ["concept"] });
  await test.call("change_matching", { action: "processed", type: ["question"] });
  const labelled = await test.call("items", { labels: ["area=ci"], count: true });
  expect(labelled.total).toBe(4);
  const { items } = await test.call("items", { topic: ["deploys"] });
  expect(items.map(({ title }) => title)).toEqual(["Rule"]);
  expect((await test.call("stats")).consolidation.pending).toBe(2);
});

it("changes nothing if the count differs, and names an invalid label", async () => {
  await using test = await withEpisodes();
  const stale = await test.failure("change_matching", { action: "delete", expected: 3 });
  expect([stale.code, stale.message]).toEqual(["conflict", expect.stringContaining("4 items")]);
  const bad = await test.failure("change_matching", { action: "label", value: "area" });
  expect([bad.code, bad.message]).toEqual(["invalid_input", expect.stringContaining("key=value")]);
  expect((await test.call("stats")).episodes.total).toBe(3);
});
