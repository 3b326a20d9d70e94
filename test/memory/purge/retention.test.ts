import { expect, it } from "vitest";
import { memorySettings } from "../../../src/memory/settings.ts";
import { expectDefined, itemAt } from "../../support/defined.ts";
import { createTestMemory } from "../../support/test-memory.ts";

const DAY_MS = 86_400_000;

async function deletedTexts(test: ReturnType<typeof createTestMemory>): Promise<unknown[]> {
  const { episodes, concepts } = await test.call("list_deleted");
  return [
    ...expectDefined(episodes).map(({ content }) => content),
    ...expectDefined(concepts).map(({ title }) => title),
  ];
}

it("purges what was deleted longer ago than the retention, with the next write", async () => {
  await using test = createTestMemory({ retention: "30d" });
  await test.call("remember", { content: "Old Zanzibarina" });
  await test.call("remember", { content: "Young Xylophonia" });
  await test.call("create_concept", { title: "Old concept", from: "ep:1" });
  const { concepts } = await test.call("list_concepts");
  await test.call("delete", { id: "ep:1" });
  await test.call("delete", { id: itemAt(concepts, 0).id });
  test.clock.advance(20 * DAY_MS);
  await test.call("delete", { id: "ep:2" });
  expect(await deletedTexts(test)).toEqual(["Young Xylophonia", "Old Zanzibarina", "Old concept"]);
  test.clock.advance(15 * DAY_MS);
  await test.call("remember", { content: "Something else" });
  expect(await deletedTexts(test)).toEqual(["Young Xylophonia", "[purged]", "[purged]"]);
  expect(await (await test.memory.database()).findBytes("Zanzibarina")).toEqual([]);
  expect(await (await test.memory.database()).findBytes("Xylophonia")).not.toEqual([]);
  const { changes } = await test.call("changes", { limit: 1 });
  expect(changes).toMatchObject([{ operation: "purge", author: "retention" }]);
  const before = (await test.call("changes")).count;
  test.clock.advance(DAY_MS);
  await test.call("remember", { content: "Nothing is due any more" });
  expect((await test.call("changes")).count).toBe(before + 1);
});

it("retains deleted items by default", async () => {
  await using test = createTestMemory();
  await test.call("remember", { content: "One" });
  await test.call("delete", { id: "ep:1" });
  test.clock.advance(10_000 * DAY_MS);
  await test.call("remember", { content: "Two" });
  expect(await deletedTexts(test)).toEqual(["One"]);
  expect(memorySettings.parse({}).retention).toBe("off");
  expect(memorySettings.safeParse({ retention: "0d" }).success).toBe(false);
  expect(memorySettings.safeParse({ retention: "a month" }).success).toBe(false);
});
