import { expect, it } from "vitest";
import { lastChange, learnedSince } from "../../../src/agent/unattended/learned-since.ts";
import { testMemory } from "../../support/test-memory.ts";

it("tells what was remembered, made a concept or left for the person after a change, and nothing from before", async () => {
  await using t = testMemory();
  await t.call("remember", { content: "Known before the night" });
  const before = await lastChange(t.memory);
  const { id: kept } = await t.call("remember", { content: "Retries carry a key" });
  const { id: concept } = await t.call("create_concept", {
    title: "Retries are safe",
    type: "pattern",
    from: [kept],
  });
  const { id: proposed } = await t.call("propose", { content: "Perhaps deploy at noon" });
  const { id: forgotten } = await t.call("remember", { content: "Said by mistake" });
  await t.call("delete_episode", { episode_id: forgotten });
  expect(await learnedSince(t.memory, before)).toEqual([
    `${kept}: Retries carry a key`,
    `${concept}: Retries are safe`,
    `${proposed} waits for you: nobody could be asked`,
    `${forgotten} was deleted again`,
  ]);
});

it("learns nothing where there is no memory", async () => {
  expect(await lastChange(undefined)).toBeNull();
  expect(await learnedSince(undefined, null)).toEqual([]);
  await using t = testMemory();
  expect(await lastChange(t.memory)).toBeNull();
  expect(await learnedSince(t.memory, null)).toEqual([]);
});
