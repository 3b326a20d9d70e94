import { expect, it } from "vitest";
import { mergeMemory } from "../../src/importers/index.ts";
import { diffMemories } from "../../src/memory/index.ts";
import { testMemory } from "../support/test-memory.ts";

async function laptop() {
  const t = testMemory({ name: "laptop" });
  await t.apply(
    'topic name="Deploys"',
    'remember as=a by=Ada topic=deploys session=s labels=area=build occurred_at=2026-01-02 "We ship on Tuesdays"',
    'remember as=same e=tool:node "We build with Node"',
    'remember as=old t=fact e=tool:cache occurred_at=2026-01-03 "The timeout is 5 seconds"',
    'remember as=new t=fact e=tool:cache occurred_at=2026-02-03 "The timeout is 10 seconds"',
    "supersede old=$old new=$new",
    'concept as=one title="Ship early" from=$a confidence=0.8 "Ship on Tuesdays"',
    'concept as=two title="Builds" from=$same "Node it is"',
    "link from=$one to=$two type=implies",
    "evidence concept=$one episode=$a type=supports strength=0.7",
  );
  return t;
}

async function desk() {
  const t = testMemory({ name: "desk" });
  await t.apply(
    'remember as=same e=tool:node "We build with Node"',
    'remember t=fact e=tool:cache "The timeout is 30 seconds"',
    'concept title="Builds" from=$same "Node, or Bun"',
  );
  return t;
}

it("tells what two memories disagree on, and what only one holds", async () => {
  await using a = await laptop();
  await using b = await desk();
  const found = await diffMemories(a.memory, b.memory);
  expect(found.facts).toMatchObject([
    {
      entities: ["tool:cache"],
      a: { id: "fact:2", statement: "The timeout is 10 seconds" },
      b: { id: "fact:1", statement: "The timeout is 30 seconds" },
    },
  ]);
  expect(found.concepts).toMatchObject([
    { title: "Builds", a: { summary: "Node it is" }, b: { summary: "Node, or Bun" } },
  ]);
  expect(found.only_in_a.map(({ text }) => text).sort()).toEqual([
    "Ship early",
    "The timeout is 10 seconds",
    "The timeout is 5 seconds",
    "We ship on Tuesdays",
  ]);
  expect(found.only_in_b.map(({ text }) => text)).toEqual(["The timeout is 30 seconds"]);
  expect(await diffMemories(a.memory, a.memory)).toEqual({
    facts: [],
    concepts: [],
    only_in_a: [],
    only_in_b: [],
  });
});

it("merges through a changeset, names collisions, and merges twice without a double", async () => {
  await using from = await laptop();
  await using into = await desk();
  const work = { from: from.memory, into: into.memory };
  const before = (await into.call("stats")).episodes.total;
  const rehearsed = await mergeMemory({ ...work, dryRun: true });
  expect((await into.call("stats")).episodes.total).toBe(before);
  const collided = { statement: "The timeout is 10 seconds" };
  expect(rehearsed.collisions).toContainEqual({
    ...collided,
    against: { id: "fact:1", statement: "The timeout is 30 seconds" },
  });

  const merged = await mergeMemory({ ...work, dryRun: false });
  expect(merged).toMatchObject({ added: rehearsed.added, skipped: 0 });
  const { items } = await into.call("items", { kinds: "episode", sort: "oldest" });
  expect(items).toContainEqual(
    expect.objectContaining({
      text: "We ship on Tuesdays",
      at: "2026-01-02T00:00:00.000Z",
      asserted_by: "Ada",
      topic_id: "deploys",
      session: "s",
    }),
  );
  expect(items.filter(({ text }: { text: string }) => text === "We build with Node")).toHaveLength(
    1,
  );
  const facts = (await into.call("items", { kinds: "fact" })).items;
  expect(
    facts
      .filter(({ status }) => status === "active")
      .map(({ text }) => text)
      .sort(),
  ).toEqual(["The timeout is 10 seconds", "The timeout is 30 seconds"]);

  expect(await mergeMemory({ ...work, dryRun: false })).toMatchObject({ added: 0, changed: 0 });
  const { facts: disputed, only_in_a: left } = await diffMemories(from.memory, into.memory);
  expect([disputed, left]).toEqual([[], []]);
});
