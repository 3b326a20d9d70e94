import { expect, it } from "vitest";
import { createTestMemory } from "../../support/test-memory.ts";

const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);

it("returns the validity timeline of a fact, a cluster and an entity", async () => {
  await using t = createTestMemory();
  await t.apply(
    'remember t=fact e=tool:cache occurred_at=2026-03-02 "The timeout is 30 seconds"',
    'remember t=fact e=tool:cache occurred_at=2026-01-02 "The timeout is 10 seconds"',
    'remember t=fact e=tool:cache,tool:b,tool:c occurred_at=2026-02-02 "Another cluster"',
    "conflict fact_a=fact:1 fact_b=fact:2",
  );
  const fact = await t.call("get_fact", { fact_id: "fact:1" });
  expect(fact).toMatchObject({ id: "fact:1", statement: "The timeout is 30 seconds" });
  expect(ids(fact.timeline)).toEqual(["fact:2", "fact:1"]);
  expect(ids(fact.conflicts)).toEqual(["conflict:1"]);

  const cluster = await t.call("cluster_timeline", { cluster_id: fact.cluster_id });
  expect(cluster.cluster.type).toBe("fact_cluster");
  expect(ids(cluster.facts)).toEqual(["fact:2", "fact:1"]);

  const entity = await t.call("entity_facts", { entity_id: "tool:Cache", limit: 2, page: 1 });
  expect(entity).toMatchObject({ entity_id: "tool:cache", total: 3, page: 1, limit: 2 });
  expect(ids(entity.facts)).toEqual(["fact:2", "fact:3"]);
  await t.apply("delete id=ep:1");
  expect(ids((await t.call("entity_facts", { entity_id: "tool:cache" })).facts)).toEqual([
    "fact:2",
    "fact:3",
  ]);
  expect((await t.failure("get_fact", { fact_id: "fact:1" })).message).toContain("restore ep:1");
});

it("groups pending episodes by session, then entity, then day", async () => {
  await using t = createTestMemory();
  await t.apply(
    'remember occurred_at=2026-01-01 "alone"',
    'remember session=one e=tool:a "first of a session"',
    'remember e=tool:a "first of a"',
    'remember e=tool:a,tool:b "second of a"',
    'remember session=one "second of a session"',
    'remember session=two occurred_at=2026-01-01 "a session of one"',
    'remember as=done session=one "processed"',
    "processed ids=$done",
  );
  const { total, batches } = await t.call("pending_batches", {});
  expect(total).toBe(6);
  expect(batches.map(({ reason, name, episodes }) => [reason, name, ids(episodes)])).toEqual([
    ["time", "2026-01-01", ["ep:1", "ep:6"]],
    ["session", "one", ["ep:2", "ep:5"]],
    ["entity", "tool:a", ["ep:3", "ep:4"]],
  ]);
});

it("limits number and size of batches and counts the rest", async () => {
  await using t = createTestMemory();
  await t.apply(...Array.from({ length: 9 }, (_, n) => `remember session=long "number ${n}"`));
  const { total, batches } = await t.call("pending_batches", { limit: 2, size: 3 });
  expect([total, batches.length]).toEqual([9, 2]);
  expect(batches.map(({ episodes }) => episodes.length)).toEqual([3, 3]);
});
