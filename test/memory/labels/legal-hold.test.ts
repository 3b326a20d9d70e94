import { expect, it, onTestFinished } from "vitest";
import type { AccessScope } from "../../../src/shared/caller.ts";
import { testMemory } from "../../support/test-memory.ts";

async function heldMemory() {
  const test = testMemory();
  onTestFinished(() => test[Symbol.asyncDispose]());
  await test.call("remember", {
    content: "The contract of May",
    episode_type: "fact",
    entities: "person:Ada",
  });
  await test.call("label", { id: "ep:1", key: "hold", value: "case-7" });
  const as = (scope: AccessScope) => (operation: string, input: object) =>
    test.memory.executeNamed(operation, input, { caller: { name: scope, scope } });
  return { ...test, as };
}

const GOING: readonly [string, object][] = [
  ["delete", { id: "ep:1" }],
  ["delete_episode", { episode_id: "ep:1" }],
  ["purge", { ids: ["ep:1"] }],
  ["purge", { ids: ["fact:1"] }],
  ["undo", { change: "change:1", together: true }],
  ["apply", { changeset: "delete ep:1" }],
  ["change_matching", { action: "delete", labels: "hold=case-7" }],
];

it.each(GOING)("what is held stays: %s %j is refused, to admins too", async (operation, input) => {
  const { as, call } = await heldMemory();
  await expect(as("admin")(operation, input)).rejects.toThrow(/under a legal hold \(hold=case-7\)/);
  expect(await call("get_episode", { episode_id: "ep:1" })).toMatchObject({
    content: "The contract of May",
    deleted_at: null,
  });
});

it("only an admin lifts a hold, in whatever way", async () => {
  const { as, call } = await heldMemory();
  const lifting: readonly [string, object][] = [
    ["unlabel", { id: "ep:1", key: "hold" }],
    ["unlabel", { id: "ep:1", key: "hold", value: "case-7" }],
    ["update_episode", { episode_id: "ep:1", labels: "area=pay" }],
    ["update", { id: "ep:1", labels: [] }],
    ["undo", { change: "change:2" }],
    ["apply", { changeset: "unlabel id=ep:1 key=hold" }],
  ];
  for (const [operation, input] of lifting) {
    await expect(as("decide")(operation, input), operation).rejects.toThrow(
      /legal hold|needs the scope admin/,
    );
  }
  await as("write")("update_episode", { episode_id: "ep:1", labels: "hold=case-7,area=pay" });
  await as("admin")("unlabel", { id: "ep:1", key: "hold" });
  await call("delete", { id: "ep:1" });
});
