import { describe, expect, it } from "vitest";
import { expectDefined, itemAt } from "../../support/defined.ts";
import { createTestMemory } from "../../support/test-memory.ts";

async function createFilledMemory() {
  const t = createTestMemory();
  await t.apply(
    'remember as=a t=fact e=tool:cache labels=area=perf "TTL is 300"',
    'remember as=b t=fact e=tool:cache "TTL is 600"',
    'remember as=c e=person:Ada "Ada measured"',
    "conflict fact_a=$a fact_b=$b",
    'concept as=x title="Caching" from=$c "summary"',
    "update id=$x confidence=0.9",
    "processed ids=$c",
  );
  return t;
}

describe("snapshot", () => {
  it("returns every scope under the requested key", async () => {
    await using t = await createFilledMemory();
    const { concepts } = await t.call("list_concepts");
    const caching = expectDefined(
      concepts.find((c: { title: string }) => c.title === "Caching"),
    ).id;
    const cluster = expectDefined(
      concepts.find((c: { type: string }) => c.type === "fact_cluster"),
    ).id;
    const snapshot = await t.call("snapshot", {
      scopes: [
        "pending",
        "conflicts",
        "entity:tool:cache",
        "labels",
        "label:area=perf",
        `concept:${cluster}`,
        "recent:2",
        "stats",
        "events:3",
        "bootstrap:1",
      ],
    });
    expect(snapshot.pending).toMatchObject({ count: 2, entities: ["tool:cache"] });
    expect(snapshot.conflicts).toMatchObject({ count: 1, conflicts: [{ id: "conflict:1" }] });
    expect(snapshot["entity:tool:cache"]).toMatchObject({
      entity: { id: "tool:cache", mention_count: 2 },
      fact_clusters: [{ id: cluster }],
      relations: [],
    });
    expect(snapshot.labels).toEqual({
      count: 1,
      labels: [{ key: "area", value: "perf", count: 1 }],
    });
    expect(snapshot["label:area=perf"]).toMatchObject({
      key: "area",
      value: "perf",
      count: 1,
      episodes: [{ id: "ep:1" }],
      concepts: [],
    });
    expect(snapshot[`concept:${cluster}`]).toMatchObject({ superseded_facts: [] });
    expect(snapshot["recent:2"]).toMatchObject({ episodes: [{ id: "ep:3" }, { id: "ep:2" }] });
    expect(snapshot.stats).toEqual(await t.call("stats"));
    expect(snapshot["events:3"]).toMatchObject({ since_seq: 3, count: 4, next_since_seq: 7 });
    expect(snapshot["bootstrap:1"]).toMatchObject({
      count: 1,
      concepts: [{ id: caching }],
      open_conflicts: 1,
    });
  });

  it("contains an error for a failed scope and still returns the others", async () => {
    await using t = await createFilledMemory();
    const snapshot = await t.call("snapshot", {
      scopes: "concept:nope, nonsense, recent:0, label:area=perf pending",
    });
    expect(snapshot).toMatchObject({
      "concept:nope": { error: { code: "not_found" } },
      nonsense: { error: { code: "invalid_input" } },
      "recent:0": { error: { code: "invalid_input" } },
      "label:area=perf": { count: 1 },
      pending: { count: 2 },
    });
  });

  it("is the same for the same memory state", async () => {
    await using t = await createFilledMemory();
    const scopes = "bootstrap";
    const first = await t.call("snapshot", { scopes });
    t.clock.advance(86_400_000);
    expect(await t.call("snapshot", { scopes })).toEqual(first);
  });

  it("searches concepts with query:, commas included", async () => {
    await using t = await createFilledMemory();
    const snapshot = await t.call("snapshot", { scopes: "query:caching, and more, stats" });
    expect(Object.keys(snapshot)).toEqual(["query:caching, and more", "stats"]);
    const found = expectDefined(snapshot["query:caching, and more"]);
    expect(found.query).toBe("caching, and more");
    expect(itemAt(found.concepts as { title: string }[], 0).title).toBe("Caching");
  });

  it.each([{ scopes: "" }, { scopes: [] }, {}, { scopes: 5 }])("refuses %j", async (input) => {
    await using t = createTestMemory();
    expect((await t.failure("snapshot", input)).code).toBe("invalid_input");
  });
});

describe("an empty database", () => {
  it("reads as empty without creating a file", async () => {
    await using t = createTestMemory();
    expect((await t.call("stats")).episodes.total).toBe(0);
    expect((await t.call("snapshot", { scopes: "bootstrap pending" })).pending?.count).toBe(0);
    expect(await t.memory.isThere()).toBe(false);
    expect((await t.failure("remember", { content: "" })).code).toBe("invalid_input");
    expect((await t.failure("delete", { id: "ep:1" })).code).toBe("not_found");
    expect(await t.memory.isThere()).toBe(false);
  });
});
