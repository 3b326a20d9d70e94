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
  expect(stale).toMatchObject({ code: "conflict", details: { id: "ep:1", version: 2 } });
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
