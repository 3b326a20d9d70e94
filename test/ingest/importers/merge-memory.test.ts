import { expect, it } from "vitest";
import { mergeMemory } from "../../../src/ingest/importers/index.ts";
import { diffMemories } from "../../../src/memory/index.ts";
import { testMemory } from "../../support/test-memory.ts";

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

it("compares two memories", async () => {
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

it("merges sources by their names, without items forgotten in the target", async () => {
  await using from = testMemory({ name: "laptop" });
  await using into = testMemory({ name: "desk" });
  const turn = (key: string, text: string, reverts?: string) => ({
    ...{ key, by: "Ada", role: "commit" as const, text, files: ["src/pay.ts"] },
    ...(reverts !== undefined && { reverts }),
    occurred_at: `2026-03-0${key}T09:00:00.000Z`,
  });
  const commits = [turn("1", "Cap the retries"), turn("2", 'Revert "Cap the retries"', "1")];
  const read = (t: typeof from, key: string, passages: ReturnType<typeof turn>[], mark?: string) =>
    t.call("read_source", { kind: "git", key, mark, passages });
  await read(into, "other", [turn("1", "Another history")]);
  await read(from, "shop", commits, "2");
  await read(from, "gone", [turn("1", "What nobody wants there")]);
  await read(into, "gone", [turn("1", "What nobody wants there")]);
  await into.call("delete", { id: "source:2" });
  await from.apply('remember source_ref=passage:2 "Retries are not capped"');

  const merged = await mergeMemory({ from: from.memory, into: into.memory, dryRun: false });
  expect(merged).toMatchObject({ added: 3, skipped: 1 });
  expect(merged.skips).toMatchObject([{ reason: "forgotten in the target" }]);
  const { sources } = await into.call("list_sources");
  expect(sources).toMatchObject([{ key: "shop", mark: "2", passages: 2 }, { key: "other" }]);
  const { passages } = await into.call("get_source", { source_id: sources[0]?.id ?? "" });
  expect(passages).toMatchObject([
    { key: "1", text: "Cap the retries", files: ["src/pay.ts"] },
    { key: "2", reverts: passages[0]?.id },
  ]);
  const { episodes } = await into.call("list_episodes");
  expect(episodes).toMatchObject([{ source_ref: passages[1]?.id }]);
  for (const change of [...merged.changes].reverse()) await into.call("undo", { change });
  expect((await into.call("list_sources")).sources).toMatchObject([{ key: "other" }]);
});

it("merges as a changeset, reports collisions, and is idempotent", async () => {
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

it("merges plans, priorities and resolved conflicts once, preserving existing ones", async () => {
  await using from = testMemory({ name: "laptop" });
  await using into = testMemory({ name: "desk" });
  await from.apply(
    'remember as=late "Write the guide"',
    'remember as=shared "Cut the release"',
    'remember as=plan "The plan of the release"',
    "update id=$late plan_id=$plan depends_on=$shared priority=p1",
    "update id=$shared priority=p2",
    'remember as=a t=fact e=tool:cache occurred_at=2026-01-03 "The timeout is 5 seconds"',
    'remember as=b t=fact e=tool:cache occurred_at=2026-01-04 "Its timeout is 10 seconds"',
    'remember as=c t=fact e=tool:cache occurred_at=2026-01-05 "It waits 20 seconds"',
    'conflict as=x fact_a=$a fact_b=$b "They differ"',
    'conflict as=y fact_a=$a fact_b=$c "So do these"',
    'dismiss id=$x by=Ada "In tests"',
    'resolve id=$y winner=$c until=2026-02-01 by=Bo "Measured"',
  );
  // Superseded after the conflicts, because only an active fact can win one.
  from.clock.advance(1000);
  await from.apply(
    'remember as=d t=fact e=tool:cache occurred_at=2026-01-06 "It waits 40 seconds"',
    "supersede old=fact:3 new=$d until=2026-03-01",
  );
  await into.apply('remember "Cut the release"', "update id=ep:1 priority=p0");
  const work = { from: from.memory, into: into.memory, dryRun: false };
  expect(await mergeMemory(work)).toMatchObject({ skipped: 0 });
  const { items } = await into.call("items", { kinds: "episode", text: "guide" });
  const task = await into.call("get_episode", { episode_id: items[0]?.id ?? "" });
  const plan = await into.call("get_episode", { episode_id: task.plan_id ?? "" });
  expect(task).toMatchObject({ depends_on: ["ep:1"], priority: "p1", spec_ids: [] });
  expect(plan.content).toBe("The plan of the release");
  expect(await into.call("get_episode", { episode_id: "ep:1" })).toMatchObject({ priority: "p0" });
  const decided = async () => (await into.call("list_conflicts", { status: "all" })).conflicts;
  expect(await decided()).toMatchObject([
    { status: "resolved", resolved_by: "Bo", note: "Measured", winner: expect.any(String) },
    { status: "dismissed", resolved_by: "Ada", note: "In tests", winner: null },
  ]);
  const { items: facts } = await into.call("items", { kinds: "fact", sort: "oldest" });
  expect(facts.map(({ text, valid_to: end }) => [text, end?.slice(0, 10) ?? null])).toEqual([
    ["The timeout is 5 seconds", "2026-02-01"],
    ["Its timeout is 10 seconds", null],
    ["It waits 20 seconds", "2026-03-01"],
    ["It waits 40 seconds", null],
  ]);

  expect(await mergeMemory(work)).toMatchObject({ added: 0, changed: 0, skipped: 0 });
  expect(await decided()).toHaveLength(2);
});
