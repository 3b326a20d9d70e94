import { expect, it } from "vitest";
import { createTestMemory } from "../../support/test-memory.ts";

it("explains an item described in words and lists alternatives", async () => {
  await using here = createTestMemory();
  await here.apply(
    'remember t=decision "We deploy on Tuesdays, after the backup has run."',
    'remember t=decision "The backup is kept for 30 days."',
    'remember "The lift is out of order."',
  );
  const found = await here.call("why_not", {
    id: "the Tuesday deploy decision",
    query: "the lift",
  });
  expect(found).toMatchObject({ id: "ep:1", returned: false });
  expect(found.meant).toMatchObject({ text: "We deploy on Tuesdays, after the backup has run." });
  const backup = await here.call("why_not", { id: "backup", query: "the lift" });
  expect([backup.id, ...(backup.meant?.others.map(({ id }) => id) ?? [])].sort()).toEqual([
    "ep:1",
    "ep:2",
  ]);
});

it("reports words without matches and accepts ids", async () => {
  await using here = createTestMemory();
  await here.call("remember", { content: "We deploy on Tuesdays." });
  const failure = await here.failure("why_not", { id: "quarterly zebra numbers", query: "deploy" });
  expect(failure).toMatchObject({ code: "not_found" });
  expect(failure.message).toContain("quarterly zebra numbers");
  expect(await here.failure("why_not", { id: "ep:9", query: "deploy" })).toMatchObject({
    code: "not_found",
  });
  const byId = await here.call("why_not", { id: "ep:1", query: "deploy" });
  expect(byId).toMatchObject({ id: "ep:1", returned: true });
  expect(byId.meant).toBeUndefined();
});
