import { describe, expect, it } from "vitest";
import { expectDefined, itemAt } from "../../support/defined.ts";
import { createTestMemory } from "../../support/test-memory.ts";

async function withEpisodes() {
  const t = createTestMemory();
  for (const n of [1, 2, 3]) await t.call("remember", { content: `e${n}`, entities: "tool:git" });
  return t;
}

describe("create_concept", () => {
  it("counts its distinct sources and leaves them unprocessed", async () => {
    await using t = await withEpisodes();
    const concept = await t.call("create_concept", {
      title: "Git habits",
      from: "ep:1, ep:2, ep:1",
      summary: "What we do",
      type: "hypothesis",
      tags: "git, habits",
      labels: "area=vcs",
    });
    expect(concept).toMatchObject({
      title: "Git habits",
      confidence: 0.5,
      instance_count: 2,
      actionable: true,
      tags: ["git", "habits"],
      labels: [{ key: "area", value: "vcs" }],
      relations: [],
    });
    const detail = await t.call("get_concept", { concept_id: concept.id });
    expect(detail.source_episodes.map((e: { id: string }) => e.id)).toEqual(["ep:1", "ep:2"]);
    expect(itemAt(detail.source_episodes, 0).processed).toBe(false);
    expect(detail.evidence).toEqual([]);
    expect(detail).not.toHaveProperty("facts");
  });

  it.each([
    [{ title: "x" }, "invalid_input"],
    [{ title: "x", from: "" }, "invalid_input"],
    [{ title: " ", from: "ep:1" }, "invalid_input"],
    [{ title: "x", from: "ep:9" }, "not_found"],
    [{ title: "x", from: "ep:1", type: "fact_cluster" }, "invalid_input"],
    [{ title: "x", from: "ep:1", confidence: 1.1 }, "invalid_input"],
    [
      { title: "x", from: "ep:1", relations: '[{"type":"implies","target_id":"nope"}]' },
      "not_found",
    ],
    [{ title: "x", from: "ep:1", relations: "{" }, "invalid_input"],
    [{ title: "x".repeat(513), from: "ep:1" }, "invalid_input"],
  ])("refuses %j", async (input, code) => {
    await using t = await withEpisodes();
    expect((await t.failure("create_concept", input)).code).toBe(code);
    expect((await t.call("list_concepts")).total).toBe(0);
  });
});

describe("relations and evidence", () => {
  it("linking twice creates one edge, evidence on a pair is replaced, and unlink removes it", async () => {
    await using t = await withEpisodes();
    const a = await t.call("create_concept", { title: "A", from: "ep:1" });
    const b = await t.call("create_concept", { title: "B", from: "ep:2" });
    await t.call("link", { from: a.id, to: b.id, type: "implies" });
    await t.call("link", { from: a.id, to: b.id, type: "implies", strength: 0.3 });
    await t.call("evidence", { concept: a.id, episode: "ep:3", type: "supports" });
    await t.call("evidence", {
      concept: a.id,
      episode: "ep:3",
      type: "contradicting",
      strength: 0.9,
      note: "n",
    });
    const detail = await t.call("get_concept", { concept_id: a.id });
    expect(detail.relations).toEqual([{ type: "implies", target_id: b.id, strength: 0.3 }]);
    expect(detail.evidence).toEqual([
      { episode_id: "ep:3", type: "contradicting", strength: 0.9, note: "n" },
    ]);
    expect(await t.call("graph")).toMatchObject({
      edges: [{ source: a.id, target: b.id, type: "implies", strength: 0.3 }],
    });
    await t.call("unlink", { concept: a.id, episode: "ep:3" });
    expect((await t.failure("unlink", { concept: a.id, episode: "ep:3" })).code).toBe("not_found");
    expect((await t.failure("link", { from: a.id, to: a.id, type: "x" })).code).toBe(
      "invalid_input",
    );
  });

  it("a concept that another supersedes is not actionable", async () => {
    await using t = await withEpisodes();
    const a = await t.call("create_concept", { title: "A", from: "ep:1" });
    const b = await t.call("create_concept", { title: "B", from: "ep:2" });
    await t.call("link", { from: b.id, to: a.id, type: "supersedes" });
    const { bootstrap } = await t.call("snapshot", { scopes: "bootstrap" });
    expect(bootstrap).toMatchObject({ concepts: [{ id: b.id }] });
    await t.call("delete", { id: b.id });
    expect((await t.call("get_concept", { concept_id: a.id })).actionable).toBe(true);
  });
});

describe("merge", () => {
  it("moves everything to the target and keeps the lineage", async () => {
    await using t = await withEpisodes();
    const a = await t.call("create_concept", { title: "A", from: "ep:1", labels: "k=a" });
    const b = await t.call("create_concept", { title: "B", from: "ep:1,ep:2", labels: "k=b" });
    const c = await t.call("create_concept", { title: "C", from: "ep:3" });
    await t.call("evidence", { concept: b.id, episode: "ep:3", type: "supporting" });
    await t.call("link", { from: c.id, to: b.id, type: "implies" });
    await t.call("link", { from: b.id, to: a.id, type: "implies" });
    const merged = await t.call("merge", { from: [a.id, b.id], into: a.id, reason: "same" });
    expect(merged).toMatchObject({ id: a.id, merged_from: [b.id], instance_count: 2 });
    const detail = await t.call("get_concept", { concept_id: a.id });
    expect(detail.labels).toEqual([
      { key: "k", value: "a" },
      { key: "k", value: "b" },
    ]);
    expect(detail.evidence).toHaveLength(1);
    expect(detail.lineage).toMatchObject({ merged_from: [b.id], note: "same" });
    expect((await t.call("get_concept", { concept_id: c.id })).relations).toEqual([
      { type: "implies", target_id: a.id, strength: 1 },
    ]);
    expect(detail.relations).toEqual([]);
    expect((await t.call("list_deleted")).concepts?.map(({ id }) => id)).toEqual([b.id]);
  });

  it("creates a concept if the target is a new title", async () => {
    await using t = await withEpisodes();
    const a = await t.call("create_concept", { title: "A", from: "ep:1" });
    const b = await t.call("create_concept", { title: "B", from: "ep:2" });
    const merged = await t.call("merge", { from: [a.id, b.id], into: "Both" });
    expect(merged).toMatchObject({ title: "Both", instance_count: 2, merged_from: [a.id, b.id] });
    expect((await t.call("list_concepts")).total).toBe(1);
  });

  it("moves the facts of clusters", async () => {
    await using t = createTestMemory();
    const fact = { episode_type: "fact" };
    const a = await t.call("remember", { ...fact, content: "a", entities: "tool:a" });
    const b = await t.call("remember", { ...fact, content: "b", entities: "tool:b" });
    await t.call("merge", {
      from: [expectDefined(b.cluster_id)],
      into: expectDefined(a.cluster_id),
    });
    const detail = await t.call("get_concept", { concept_id: expectDefined(a.cluster_id) });
    expect(expectDefined(detail.facts).map((f: { id: string }) => f.id)).toEqual([
      "fact:1",
      "fact:2",
    ]);
    expect(detail.instance_count).toBe(2);
  });

  it("of a cluster into another type counts the sources of the target", async () => {
    await using t = await withEpisodes();
    const fact = { episode_type: "fact", entities: "tool:a" };
    const { cluster_id } = await t.call("remember", { ...fact, content: "a" });
    const pattern = await t.call("create_concept", { title: "P", from: "ep:1,ep:2" });
    await t.call("merge", { from: expectDefined(cluster_id), into: pattern.id });
    const joined = await t.call("remember", { ...fact, content: "b" });
    expect(joined).toMatchObject({ cluster_id: pattern.id, cluster_created: false });
    const detail = await t.call("get_concept", { concept_id: pattern.id });
    expect(detail).toMatchObject({ type: "pattern", instance_count: 2 });
    expect(detail.facts).toHaveLength(2);
    const { fact_clusters } = await t.call("inspect_entity", { entity_id: "tool:a" });
    expect(fact_clusters.map((c: { id: string }) => c.id)).toEqual([pattern.id]);
  });

  it("counts a duplicate source once and names the target of an earlier merge", async () => {
    await using t = await withEpisodes();
    const a = await t.call("create_concept", { title: "A", from: "ep:1" });
    const b = await t.call("create_concept", { title: "B", from: "ep:2" });
    const merged = await t.call("merge", { from: [b.id, b.id], into: a.id });
    expect(merged.merged_from).toEqual([b.id]);
    const { events } = await t.call("events", {});
    expect(events.at(-1)?.payload).toMatchObject({ op: "merge", from: [b.id] });
    expect(await t.failure("merge", { from: [b.id], into: a.id })).toMatchObject({
      code: "not_found",
      message: expect.stringContaining(`${b.id} was merged into ${a.id}`),
    });
    expect((await t.call("events", {})).events).toHaveLength(events.length);
  });

  it.each([
    [{ from: "nope", into: "x" }, "not_found"],
    [{ from: "ep:1", into: "x" }, "invalid_input"],
    [{ from: "c1", into: "ep:1" }, "invalid_input"],
    [{ from: "c1", into: "c1" }, "conflict"],
    [{ from: "c1", into: "c0123456789abcdef" }, "not_found"],
    [{ from: "c1" }, "invalid_input"],
  ])("refuses %j", async (input, code) => {
    await using t = await withEpisodes();
    await t.call("create_concept", { title: "A", from: "ep:1" });
    expect((await t.failure("merge", input)).code).toBe(code);
  });
});

describe("split and reshape", () => {
  it("split names the new concepts in the lineage and keeps the source", async () => {
    await using t = await withEpisodes();
    const a = await t.call("create_concept", { title: "A", from: "ep:1,ep:2", labels: "k=v" });
    const { split_into } = await t.call("split", { id: a.id, into: "Reads, Writes", reason: "r" });
    expect(split_into).toHaveLength(2);
    const detail = await t.call("get_concept", { concept_id: a.id });
    expect(detail.lineage).toMatchObject({ split_into, note: "r" });
    expect(await t.call("get_concept", { concept_id: itemAt(split_into, 0) })).toMatchObject({
      title: "Reads",
      labels: [{ key: "k", value: "v" }],
      lineage: { split_from: a.id },
    });
    expect((await t.failure("split", { id: a.id, into: "One" })).code).toBe("invalid_input");
  });

  it("reshape changes the type, but never of a fact cluster", async () => {
    await using t = await withEpisodes();
    const a = await t.call("create_concept", { title: "A", from: "ep:1", type: "hypothesis" });
    expect((await t.call("reshape", { id: a.id, type: "pattern" })).type).toBe("pattern");
    const { cluster_id } = await t.call("remember", { content: "f", episode_type: "fact" });
    const error = await t.failure("reshape", { id: cluster_id, type: "pattern" });
    expect(error.code).toBe("invalid_input");
  });
});

describe("topics", () => {
  it("are created, assigned, shown, and deleted only when unused", async () => {
    await using t = await withEpisodes();
    await t.call("create_topic", { name: "Deploy & Release", description: "d" });
    expect((await t.failure("create_topic", { name: "deploy release" })).code).toBe("conflict");
    await t.call("set_topic", { id: "ep:1", topic: "deploy-release" });
    await t.call("remember", { content: "r", topic: "Deploy & Release" });
    const overview = await t.call("topic_overview", { topic_id: "deploy-release" });
    expect(overview).toMatchObject({ episode_count: 2, concept_count: 0 });
    expect((await t.failure("delete_topic", { topic_id: "deploy-release" })).code).toBe("conflict");
    await t.call("set_topic", { id: "ep:1", topic: "" });
    await t.call("set_topic", { id: "ep:4", topic: "" });
    await t.call("delete_topic", { topic_id: "deploy-release" });
    expect((await t.call("list_topics")).topics).toEqual([]);
  });
});
