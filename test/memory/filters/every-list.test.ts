import { expect, it } from "vitest";
import {
  filterFields,
  removeText,
  selectFilterFields,
} from "../../../src/memory/filters/filter-condition.ts";
import { createOperations } from "../../../src/memory/index.ts";
import { createTestMemory, type TestMemory } from "../../support/test-memory.ts";

const LISTS: Readonly<Record<string, object>> = {
  items: filterFields,
  timeline: filterFields,
  change_matching: filterFields,
  list_deleted: removeText(filterFields),
  list_episodes: selectFilterFields("episode"),
  list_deleted_episodes: removeText(selectFilterFields("episode")),
  list_concepts: selectFilterFields("concept"),
  list_deleted_concepts: removeText(selectFilterFields("concept")),
  // `type` is called `entity_type` for entities and `kind` for conflicts.
  entities: withoutType(selectFilterFields("entity")),
  list_entities: selectFilterFields("entity"),
  list_conflicts: withoutType(selectFilterFields("conflict")),
  list_proposals: selectFilterFields("proposal"),
  list_sources: selectFilterFields("source"),
  changes: selectFilterFields("change"),
};

function withoutType({ type: _, ...others }: { readonly type: object }): object {
  return others;
}

/** Lists of names and counts, without filterable records. */
const NOT_OF_RECORDS = ["list_labels", "list_topics", "list_imported"];

it("accepts applicable filters in each list", () => {
  const operations = createOperations();
  const lists = [...operations.keys()].filter((name) => name.startsWith("list_"));
  expect(lists.filter((name) => !(name in LISTS)).sort()).toEqual([...NOT_OF_RECORDS].sort());
  for (const [name, fields] of Object.entries(LISTS)) {
    const taken = Object.keys(operations.get(name)?.input.shape ?? {});
    expect([name, Object.keys(fields).filter((field) => !taken.includes(field))]).toEqual([
      name,
      [],
    ]);
  }
});

it("offers no inapplicable filter", () => {
  expect(Object.keys(selectFilterFields("concept"))).not.toContain("session");
  expect(Object.keys(selectFilterFields("entity"))).not.toContain("labels");
  expect(Object.keys(selectFilterFields("source"))).toEqual(["since", "until", "session"]);
});

async function createShop() {
  const t = createTestMemory();
  await t.apply(
    "topic name=deploys",
    'remember as=a t=decision by=Ada e=tool:node labels=area=build session=one topic=deploys occurred_at=2026-01-05 source_ref=wiki "The build runs on Node"',
    'remember as=b by=Bo e=tool:cache labels=area=cache session=two occurred_at=2026-03-01 "The cache is slow"',
    'concept title="Builds" from=$a labels=area=build type=rule topic=deploys "Builds run on Node"',
    'concept title="Caches" from=$b type=note "Caches are slow"',
  );
  return t;
}

const EPISODES: readonly (readonly [object, readonly string[]])[] = [
  [{ since: "2026-02" }, ["ep:2"]],
  [{ until: "2026-02" }, ["ep:1"]],
  [{ by: "Bo,Cy" }, ["ep:2"]],
  [{ type: "decision" }, ["ep:1"]],
  [{ entity: "tool:cache" }, ["ep:2"]],
  [{ labels: "area=build" }, ["ep:1"]],
  [{ not_labels: "area=build" }, ["ep:2"]],
  [{ topic: "deploys" }, ["ep:1"]],
  [{ session: "two" }, ["ep:2"]],
  [{ has: "source" }, ["ep:1"]],
  [{ as_of: "2026-02" }, ["ep:1"]],
  [{ pending: false }, []],
];

it.each(EPISODES)("narrows episodes, stored and deleted, the same way: %j", async (filter, ids) => {
  await using t = await createShop();
  const listed = await t.call("list_episodes", filter);
  expect(listed.episodes.map(({ id }) => id)).toEqual(ids);
  expect(listed.total).toBe(ids.length);
  await deleteAll(t);
  const deleted = await t.call("list_deleted_episodes", filter);
  expect(deleted.episodes.map(({ id }) => id)).toEqual(ids);
  expect((await t.call("list_deleted", filter)).episodes?.map(({ id }) => id)).toEqual(ids);
});

it("finds episodes by their words", async () => {
  await using t = await createShop();
  const { episodes } = await t.call("list_episodes", { text: "cache" });
  expect(episodes.map(({ id }) => id)).toEqual(["ep:2"]);
});

async function deleteAll(t: TestMemory) {
  for (const id of ["ep:1", "ep:2"]) await t.call("delete_episode", { episode_id: id });
}

it.each([
  [{ type: "rule" }, ["Builds"]],
  [{ entity: "tool:cache" }, ["Caches"]],
  [{ labels: "area=build" }, ["Builds"]],
  [{ not_labels: "area=build" }, ["Caches"]],
  [{ topic: "deploys" }, ["Builds"]],
  [{ text: "slow" }, ["Caches"]],
  [{ until: "2020" }, []],
])("narrows concepts: %j", async (filter, titles) => {
  await using t = await createShop();
  const listed = await t.call("list_concepts", filter);
  expect(listed.concepts.map(({ title }) => title)).toEqual(titles);
  expect(listed.total).toBe(titles.length);
});

it.each([
  [{ text: "nod" }, ["tool:node"]],
  [{ entity: "tool:cache" }, ["tool:cache"]],
  [{ type: "tool", text: "c" }, ["tool:cache"]],
  [{ until: "2020" }, []],
])("narrows entities: %j", async (filter, ids) => {
  await using t = await createShop();
  const listed = await t.call("list_entities", filter);
  expect(listed.entities.map(({ id }) => id)).toEqual(ids);
  expect(listed.total).toBe(ids.length);
});

it.each([
  [{ by: "Ada" }, 1],
  [{ by: "Cy" }, 0],
  [{ entity: "tool:cache" }, 1],
  [{ entity: "tool:node" }, 0],
  [{ labels: "area=two" }, 1],
  [{ not_labels: "area=two" }, 0],
  [{ text: "thirty" }, 1],
  [{ text: "forty" }, 0],
  [{ session: "one" }, 1],
  [{ since: "2020" }, 1],
  [{ until: "2020" }, 0],
])("lets a conflict pass by one of its facts: %j", async (filter, count) => {
  await using t = createTestMemory();
  await t.apply(
    "topic name=none",
    "remember t=observation e=tool:node A",
    'remember as=a t=fact by=Ada e=tool:cache session=one "The timeout is ten"',
    'remember as=b t=fact by=Bo e=tool:cache labels=area=two "The timeout is thirty"',
    'conflict fact_a=$a fact_b=$b "They differ"',
  );
  const { conflicts, total } = await t.call("list_conflicts", filter);
  expect([conflicts.length, total]).toEqual([count, count]);
});

it("narrows changes by several authors, a session and times as people say them", async () => {
  await using t = await createShop();
  await t.call("remember", { content: "One", asserted_by: "Ada", session: "s" });
  await t.call("remember", { content: "Two", asserted_by: "Bo" });
  const of = async (filter: object) =>
    (await t.call("changes", filter)).changes.map(({ author }) => author);
  expect(await of({ by: "Ada,Bo", since: "2020" })).toEqual(["Bo", "Ada"]);
  expect(await of({ by: "Ada" })).toEqual(await of({ author: "Ada" }));
  expect(await of({ session: "s" })).toEqual(["Ada"]);
  expect(await of({ until: "2020" })).toEqual([]);
  expect(await of({ end_date: "2020-01-01" })).toEqual([]);
});

it("finds the changes of one and the same record that passes all filters", async () => {
  await using t = await createShop();
  await t.apply(
    'remember t=decision labels=area=cache "Caches are kept"',
    'remember t=observation labels=area=build "Builds are slow"',
  );
  const count = async (filter: object) => (await t.call("changes", filter)).count;
  expect(await count({ type: "decision", labels: "area=cache" })).toBe(1);
  expect(await count({ type: "decision", labels: "area=build", since: "2020" })).toBe(1);
  expect(await count({ type: "observation", labels: "area=cache", text: "kept" })).toBe(0);
});

it("finds the change that deleted a record, but none of purged ones", async () => {
  await using t = await createShop();
  await t.call("delete_episode", { episode_id: "ep:1" });
  const ofTopic = async () => (await t.call("changes", { topic: "deploys" })).changes;
  expect((await ofTopic()).map(({ operation }) => operation)).toEqual(["delete_episode", "apply"]);
  await t.call("purge", { ids: ["ep:1"] });
  expect((await ofTopic()).map(({ operation }) => operation)).toEqual(["apply"]);
});

it("rejects filters for snapshot sections without filters", async () => {
  await using t = await createShop();
  const { stats, "recent:9": recent } = await t.call("snapshot", {
    scopes: ["stats", "recent:9"],
    by: "Ada",
  });
  expect(stats).toMatchObject({
    error: { code: "invalid_input", message: expect.stringContaining("takes no filter") },
  });
  expect(recent).toMatchObject({ count: 1, episodes: [{ id: "ep:1" }] });
  const found = await t.call("snapshot", { scopes: ["query:builds"], type: "note" });
  expect(found["query:builds"]).toMatchObject({ concepts: [] });
  const words = await t.call("snapshot", { scopes: ["query:builds"], text: "cache" });
  expect(words["query:builds"]).toMatchObject({ error: { code: "invalid_input" } });
});

it("counts only matching items of a suggested value", async () => {
  await using t = await createShop();
  const { suggestions } = await t.call("suggest", { kinds: "entity,label,topic", by: "Bo" });
  expect(suggestions).toEqual([
    { kind: "entity", value: "tool:cache", detail: "1 episode" },
    { kind: "label", value: "area=cache", detail: "1" },
  ]);
});
