import { expect, it } from "vitest";
import { createTestMemory } from "../../support/test-memory.ts";

const about = "episode_type=fact entities=tool:node,project:shop";

it("lists unresolved collisions of facts", async () => {
  await using test = createTestMemory();
  await test.apply(
    `remember "shop runs on Node 20." ${about}`,
    `remember "shop runs on Node 22." ${about}`,
    'remember "The mailer runs alone." episode_type=fact entities=tool:mailer',
  );
  const colliding = async (kinds: string[]) => {
    const { items } = await test.call("items", { kinds, has: ["collision"] });
    return items.map(({ id }) => id).sort();
  };
  expect(await colliding(["fact"])).toEqual(["fact:1", "fact:2"]);
  expect(await colliding(["episode"])).toEqual(["ep:1", "ep:2"]);
  expect(await colliding(["concept"])).toHaveLength(1);
  expect(await colliding(["entity"])).toEqual([]);
  await test.apply("conflict fact_a=fact:1 fact_b=fact:2 as=it", 'dismiss id=$it "Both hold."');
  expect(await colliding(["fact", "concept"])).toEqual([]);
});

it("ignores deleted and superseded facts", async () => {
  await using test = createTestMemory();
  const said = (version: number) => `remember "shop runs on Node ${version}." ${about}`;
  await test.apply(said(18), said(20), said(22));
  await test.apply("supersede old=fact:1 new=fact:2", "delete ep:3");
  const { items } = await test.call("items", { kinds: ["fact"], has: ["collision"] });
  expect(items).toEqual([]);
});
