import { expect, it } from "vitest";
import { StaleWrite } from "../../../src/shared/errors.ts";
import { createTestMemory } from "../../support/test-memory.ts";

it("writes only if the version matches, and returns the current record", async () => {
  await using test = createTestMemory();
  await test.call("remember", { content: "One" });
  const { version } = await test.call("history", { id: "ep:1" });
  await test.call("update_episode", { episode_id: "ep:1", content: "Two", if_match: version });
  const stale = await test.failure("update_episode", {
    episode_id: "ep:1",
    content: "Three",
    if_match: version,
  });
  expect(stale).toBeInstanceOf(StaleWrite);
  expect(stale).toMatchObject({
    code: "conflict",
    details: { id: "ep:1", version: 2, present: { id: "ep:1", content: "Two" } },
  });
  expect((await test.call("get_episode", { episode_id: "ep:1" })).content).toBe("Two");
});

it("is checked for each op of a changeset", async () => {
  await using test = createTestMemory();
  await test.call("remember", { content: "One" });
  await test.apply("label id=ep:1 key=a value=b if_match=1");
  const error = await test.failure("apply", { changeset: "delete id=ep:1 if_match=1" });
  expect(error.message).toMatch(/version 2/);
  await test.apply('update id=ep:1 content="Two" if_match=2');
  expect((await test.failure("delete", { id: "ep:1", if_match: 9 })).code).toBe("conflict");
});

it("holds for facts that are superseded, relations and evidence", async () => {
  await using test = createTestMemory();
  await test.apply('remember t=fact "Rome"', 'remember t=fact "Oslo"');
  const from = (await test.call("create_concept", { title: "A", from: "ep:1" })).id;
  const to = (await test.call("create_concept", { title: "B", from: "ep:2" })).id;
  const stale = { if_match: 99 };
  const facts = { old: "fact:1", new: "fact:2" };
  expect((await test.failure("supersede", { ...facts, ...stale })).details).toMatchObject({
    present: { id: "fact:1", status: "active" },
  });
  const relation = { from, to, type: "implies" };
  expect((await test.failure("link", { ...relation, ...stale })).details).toMatchObject({
    present: { id: from, title: "A" },
  });
  const support = { concept: from, episode: "ep:2", type: "supporting" } as const;
  expect(await test.failure("evidence", { ...support, ...stale })).toBeInstanceOf(StaleWrite);
  const versionOf = async (id: string) => (await test.call("history", { id })).version;
  await test.call("supersede", { ...facts, if_match: await versionOf("fact:1") });
  await test.call("link", { ...relation, if_match: await versionOf(from) });
  await test.call("evidence", { ...support, if_match: await versionOf(from) });
});

it("holds for several items by the one that was written last, and for topics and relations", async () => {
  await using test = createTestMemory();
  await test.apply(
    'remember "One"',
    'remember "Two"',
    'remember t=fact "Rome"',
    'remember t=fact "Oslo"',
  );
  const versionOf = async (id: string) => (await test.call("history", { id })).version;
  const seen = Math.max(await versionOf("ep:1"), await versionOf("ep:2"));
  await test.call("update_episode", { episode_id: "ep:2", content: "Two, mended" });
  const ids = ["ep:1", "ep:2"];
  expect((await test.failure("processed", { ids, if_match: seen })).details).toMatchObject({
    id: "ep:2",
    present: { content: "Two, mended", processed: false },
  });
  await test.call("processed", { ids, if_match: await versionOf("ep:2") });
  expect(await test.failure("purge", { ids, if_match: seen })).toBeInstanceOf(StaleWrite);

  const from = (await test.call("create_concept", { title: "A", from: "ep:1" })).id;
  const into = (await test.call("create_concept", { title: "B", from: "ep:2" })).id;
  const read = await versionOf(into);
  await test.call("update_concept", { concept_id: from, title: "A, mended" });
  const merge = { from: [from], into };
  expect((await test.failure("merge", { ...merge, if_match: read })).details).toMatchObject({
    id: from,
    present: { title: "A, mended" },
  });
  await test.call("merge", { ...merge, if_match: await versionOf(from) });
  const title = { from: [into], into: "A new title" };
  await test.call("merge", { ...title, if_match: await versionOf(into) });

  const conflict = { fact_a: "fact:1", fact_b: "fact:2" };
  expect(await test.failure("open_conflict", { ...conflict, if_match: 1 })).toBeInstanceOf(
    StaleWrite,
  );
  await test.call("open_conflict", { ...conflict, if_match: await versionOf("fact:2") });

  await test.call("create_topic", { name: "Deploys" });
  const topic = { topic_id: "Deploys", if_match: await versionOf("deploys") };
  await test.call("update_topic", { ...topic, description: "How we ship" });
  expect(await test.failure("delete_topic", topic)).toBeInstanceOf(StaleWrite);
  await test.call("delete_topic", { ...topic, if_match: await versionOf("deploys") });

  const relation = { source: "tool:Vite", target: "tool:esbuild", relation: "uses" };
  await test.call("entity_relation", { ...relation, if_match: 0 });
  const again = { ...relation, source: "tool:vite" };
  expect(await test.failure("entity_relation", { ...again, if_match: 0 })).toBeInstanceOf(
    StaleWrite,
  );
  await test.call("entity_relation", { ...again, if_match: await versionOf("tool:Vite") });
});
