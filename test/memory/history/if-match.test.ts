import { expect, it } from "vitest";
import { StaleWrite } from "../../../src/kernel/errors.ts";
import { testMemory } from "../../support/test-memory.ts";

it("writes only what is still as the caller saw it, and says what is there", async () => {
  await using test = testMemory();
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
  await using test = testMemory();
  await test.call("remember", { content: "One" });
  await test.apply("label id=ep:1 key=a value=b if_match=1");
  const error = await test.failure("apply", { changeset: "delete id=ep:1 if_match=1" });
  expect(error.message).toMatch(/version 2/);
  await test.apply('update id=ep:1 content="Two" if_match=2');
  expect((await test.failure("delete", { id: "ep:1", if_match: 9 })).code).toBe("conflict");
});

it("holds for facts that are superseded, relations and evidence", async () => {
  await using test = testMemory();
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
  const support = { concept: from, episode: "ep:2", type: "supporting" };
  expect(await test.failure("evidence", { ...support, ...stale })).toBeInstanceOf(StaleWrite);
  const versionOf = async (id: string) => (await test.call("history", { id })).version;
  await test.call("supersede", { ...facts, if_match: await versionOf("fact:1") });
  await test.call("link", { ...relation, if_match: await versionOf(from) });
  await test.call("evidence", { ...support, if_match: await versionOf(from) });
});
