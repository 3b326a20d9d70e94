import { expect, it } from "vitest";
import { defined } from "../../support/defined.ts";
import { testMemory } from "../../support/test-memory.ts";

it("the distribution of relations leaves out those that lead to a deleted concept", async () => {
  await using t = testMemory();
  await t.apply(
    'remember "seen"',
    "concept as=a title=A from=ep:1",
    "concept as=b title=B from=ep:1",
    "link from=$a to=$b type=implies",
    "link from=$b to=$a type=refines",
  );
  const { concepts } = await t.call("list_concepts");
  const b = defined(concepts.find(({ title }: { title: string }) => title === "B")).id;
  await t.call("delete_concept", { concept_id: b });
  expect((await t.call("stats")).relations).toEqual({ total: 0, by_type: {} });
  await t.call("restore_concept", { concept_id: b });
  expect((await t.call("stats")).relations.by_type).toEqual({ implies: 1, refines: 1 });
});
