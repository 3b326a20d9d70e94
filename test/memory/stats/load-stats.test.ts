import { join } from "node:path";
import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { loadStats } from "../../../src/memory/stats/load-stats.ts";
import { expectDefined } from "../../support/defined.ts";
import { itOnSqlite } from "../../support/on-sqlite.ts";
import { openPlanRecorder } from "../../support/query-plans.ts";
import { createTestMemory } from "../../support/test-memory.ts";

it("excludes relations to deleted concepts from the distribution", async () => {
  await using t = createTestMemory();
  await t.apply(
    'remember "seen"',
    "concept as=a title=A from=ep:1",
    "concept as=b title=B from=ep:1",
    "link from=$a to=$b type=implies",
    "link from=$b to=$a type=refines",
  );
  const { concepts } = await t.call("list_concepts");
  const b = expectDefined(concepts.find(({ title }: { title: string }) => title === "B")).id;
  await t.call("delete_concept", { concept_id: b });
  expect((await t.call("stats")).relations).toEqual({ total: 0, by_type: {} });
  await t.call("restore_concept", { concept_id: b });
  expect((await t.call("stats")).relations.by_type).toEqual({ implies: 1, refines: 1 });
});

itOnSqlite("counts rows once for each state of the database, repairs included", async () => {
  await using t = createTestMemory();
  await t.call("remember", { content: "one", labels: "k=v" });
  using plans = openPlanRecorder(join(t.folder, "default.db"));
  const countsAgain = async () => {
    const seen = plans.read().length;
    await loadStats(plans.tx);
    return plans
      .read()
      .slice(seen)
      .some((step) => step.startsWith("SCAN held"));
  };
  expect(await countsAgain()).toBe(true);
  expect(await countsAgain()).toBe(false);
  await t.call("remember", { content: "two" });
  expect(await countsAgain()).toBe(true);
  // Writes without recording a change, like a repair by the doctor.
  const database = await t.memory.database();
  await database.write(async (tx) => tx.run(sql`update episodes set processed = 1 where id = 1`));
  expect((await t.call("stats")).episodes).toMatchObject({ total: 2 });
  expect(await countsAgain()).toBe(true);
});

it("counts deleted items once, on either side of a relation or conflict", async () => {
  await using t = createTestMemory();
  await t.apply(
    'remember as=a t=fact e=tool:x labels=k=1 "The port is 1111"',
    'remember as=b t=fact e=tool:x labels=k=1,k=2 "The port is 2222"',
    'remember as=c t=fact e=tool:x labels=k=3 "The port is 3333"',
    "conflict as=ab fact_a=$a fact_b=$b severity=low",
    "conflict fact_a=$b fact_b=$c severity=low",
    'concept as=one title="One" from=$a "summary"',
    'concept as=two title="Two" from=$b "summary"',
    "label id=$two key=k value=4",
    "link from=$one to=$two type=implies",
    "link from=$two to=$one type=refines",
    "dismiss id=$ab",
  );
  const before = await t.call("stats");
  expect(before).toMatchObject({
    facts: { active: 3, superseded: 0 },
    conflicts: { open: 1, resolved: 0, dismissed: 1 },
    relations: { total: 2 },
    labels: 4,
  });
  await t.call("delete", { id: "ep:3" });
  expect(await t.call("stats")).toMatchObject({
    facts: { active: 2 },
    conflicts: { open: 0, dismissed: 1 },
    labels: 3,
  });
  await t.call("delete", { id: "ep:1" });
  const { concepts } = await t.call("list_concepts");
  const two = expectDefined(concepts.find(({ title }: { title: string }) => title === "Two"));
  await t.call("delete", { id: (two as { id: string }).id });
  expect(await t.call("stats")).toMatchObject({
    facts: { active: 1 },
    conflicts: { open: 0, resolved: 0, dismissed: 0 },
    relations: { total: 0, by_type: {} },
    labels: 2,
  });
});
