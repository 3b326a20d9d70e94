import { describe, expect, it } from "vitest";
import type { InputOf } from "../../../src/memory/index.ts";
import { expectDefined, itemAt } from "../../support/defined.ts";
import { createTestMemory, type TestMemory } from "../../support/test-memory.ts";

const fact = (content: string, entities = "") => ({ content, entities, episode_type: "fact" });

describe("remembering a fact", () => {
  it("opens a cluster, and a fact about the same entities joins it and collides", async () => {
    await using t = createTestMemory();
    const first = await t.call("remember", fact("TTL is 300", "tool:cache, project:shop"));
    expect(first).toMatchObject({
      id: "ep:1",
      fact_id: "fact:1",
      cluster_created: true,
      collisions: [],
    });
    const second = await t.call("remember", fact("TTL is 600", "tool:cache"));
    expect(second).toMatchObject({
      fact_id: "fact:2",
      cluster_id: first.cluster_id,
      cluster_created: false,
    });
    expect(expectDefined(second.collisions).map((c: { id: string }) => c.id)).toEqual(["fact:1"]);
    const cluster = await t.call("get_concept", { concept_id: expectDefined(first.cluster_id) });
    expect(cluster).toMatchObject({
      type: "fact_cluster",
      confidence: 0.5,
      instance_count: 2,
      actionable: true,
    });
    expect(expectDefined(cluster.facts).map((f: { statement: string }) => f.statement)).toEqual([
      "TTL is 300",
      "TTL is 600",
    ]);
  });

  it("shows the episodes that claim the facts of a cluster as its sources", async () => {
    await using t = createTestMemory();
    const cluster_id = await clusterOf(t, fact("TTL is 300", "tool:cache"));
    await t.call("remember", fact("TTL is 600", "tool:cache"));
    await t.call("remember", fact("TTL is 900", "tool:cache"));
    await t.apply("supersede old=fact:1 new=fact:2", "delete ep:3");
    const cluster = await t.call("get_concept", { concept_id: cluster_id });
    expect(cluster.source_episodes.map((e: { id: string }) => e.id)).toEqual(["ep:1", "ep:2"]);
  });

  it("separates facts whose entities overlap by less than half", async () => {
    await using t = createTestMemory();
    const a = await t.call("remember", fact("a", "tool:a, tool:b, tool:c"));
    const b = await t.call("remember", fact("b", "tool:c, tool:d"));
    expect(b.cluster_created).toBe(true);
    expect(b.cluster_id).not.toBe(a.cluster_id);
  });

  it("without entities joins only a fact of the same text", async () => {
    await using t = createTestMemory();
    const a = await t.call("remember", fact("The sky is blue"));
    const b = await t.call("remember", fact("The sky is blue"));
    const c = await t.call("remember", fact("The sky is grey"));
    expect(b.cluster_id).toBe(a.cluster_id);
    expect(b.collisions).toHaveLength(1);
    expect(c.cluster_created).toBe(true);
  });

  it("lists the five closest collisions, or all on request", async () => {
    await using t = createTestMemory();
    for (let n = 0; n < 60; n += 1) await t.call("remember", fact(`v${n}`, "tool:cache"));
    await t.call("remember", fact("The cache keeps its entries for 300 seconds", "tool:cache"));
    const close = await t.call("remember", fact("Entries are kept for 600 seconds", "tool:cache"));
    expect(close.collisions).toHaveLength(5);
    expect(close.collisions_total).toBe(61);
    expect(expectDefined(close.collisions)[0]).toEqual({
      id: "fact:61",
      cluster_id: close.cluster_id,
      statement: "The cache keeps its entries for 300 seconds",
      status: "active",
      asserted_by: null,
      valid_from: expect.stringMatching(/Z$/),
    });
    const all = await t.call("remember", { ...fact("last", "tool:cache"), collisions: "all" });
    expect(all.collisions).toHaveLength(62);
    const whole = { id: "fact:62", episode_id: "ep:62", entities: ["tool:cache"], valid_to: null };
    expect(expectDefined(all.collisions)).toContainEqual(expect.objectContaining(whole));
    const changeset = 'remember t=fact e=tool:cache "once more"';
    const applied = await t.call("apply", { changeset, collisions: "all" });
    expect(itemAt(applied.results, 0).collisions).toHaveLength(63);
  });

  it("rejects the collisions mode in an op", async () => {
    await using t = createTestMemory();
    const changeset = 'remember t=fact collisions=all "x"';
    expect((await t.failure("apply", { changeset })).code).toBe("changeset_failed");
  });
});

describe("supersede", () => {
  it("closes the old fact at this moment and keeps it as history", async () => {
    await using t = createTestMemory();
    const cluster_id = await clusterOf(t, fact("old", "tool:x"));
    await t.call("remember", fact("new", "tool:x"));
    t.clock.advance(1000);
    await t.call("supersede", { old: "fact:1", new: "fact:2", note: "measured" });
    const cluster = await t.call("get_concept", { concept_id: cluster_id });
    expect(cluster.instance_count).toBe(1);
    expect(cluster.facts).toMatchObject([
      { id: "fact:2", status: "active" },
      { id: "fact:1", status: "superseded" },
    ]);
    expect(cluster.superseded_facts).toMatchObject([
      { id: "fact:1", status: "superseded", superseded_by: "fact:2", valid_to: t.clock.timestamp },
    ]);
  });

  it.each([
    [{ old: "fact:1", new: "fact:1" }, "invalid_input"],
    [{ old: "fact:1", new: "fact:9" }, "not_found"],
    [{ old: "ep:1", new: "fact:2" }, "invalid_input"],
    [{ old: "fact:3", new: "fact:2" }, "conflict"],
    [{ old: "fact:4", new: "fact:2" }, "not_found"],
    [{ old: "fact:1" }, "invalid_input"],
  ])("refuses %j", async (input, code) => {
    await using t = createTestMemory();
    for (const text of ["a", "b", "c", "d"]) await t.call("remember", fact(text, "tool:x"));
    await t.call("supersede", { old: "fact:3", new: "fact:2" });
    await t.call("delete", { id: "ep:4" });
    const before = await t.call("events");
    expect((await t.failure("supersede", input)).code).toBe(code);
    expect(await t.call("events")).toEqual(before);
  });

  it("resolves an open conflict between the two", async () => {
    await using t = createTestMemory();
    for (const text of ["a", "b"]) await t.call("remember", fact(text, "tool:x"));
    await t.call("open_conflict", { fact_a: "fact:1", fact_b: "fact:2" });
    await t.call("supersede", { old: "fact:1", new: "fact:2" });
    expect((await t.call("list_conflicts")).conflicts).toEqual([]);
    expect((await t.call("list_conflicts", { status: "resolved" })).conflicts).toMatchObject([
      { id: "conflict:1", winner: "fact:2" },
    ]);
  });
});

describe("a fact and its episode", () => {
  it("are deleted and restored together with the cluster's count", async () => {
    await using t = createTestMemory();
    const cluster_id = await clusterOf(t, fact("a", "tool:x"));
    expect((await t.failure("delete_concept", { concept_id: cluster_id })).code).toBe("conflict");
    await t.call("delete_episode", { episode_id: "ep:1" });
    const empty = await t.call("get_concept", { concept_id: cluster_id });
    expect(empty).toMatchObject({ facts: [], instance_count: 0, actionable: false });
    await t.call("delete_concept", { concept_id: cluster_id });
    expect((await t.failure("restore_episode", { episode_id: "ep:1" })).code).toBe("conflict");
    await t.call("restore_concept", { concept_id: cluster_id });
    await t.call("restore_episode", { episode_id: "ep:1" });
    const back = await t.call("get_concept", { concept_id: cluster_id });
    expect(back).toMatchObject({ instance_count: 1, actionable: true });
  });

  it("share their text: new content rewrites the statement", async () => {
    await using t = createTestMemory();
    const cluster_id = await clusterOf(t, fact("a", "tool:x"));
    await t.call("update_episode", {
      episode_id: "ep:1",
      content: "b",
      occurred_at: "2020-05-01",
    });
    const cluster = await t.call("get_concept", { concept_id: cluster_id });
    expect(cluster.facts).toMatchObject([
      { statement: "b", valid_from: "2020-05-01T00:00:00.000Z" },
    ]);
  });
});

describe("conflicts", () => {
  const twoFacts = async (t: ReturnType<typeof createTestMemory>) => {
    for (const text of ["a", "b", "c"]) await t.call("remember", fact(text, "tool:x"));
    return t.call("open_conflict", {
      fact_a: "fact:1",
      fact_b: "fact:2",
      severity: "high",
      description: "Both cannot hold",
    });
  };

  it("contain both facts with provenance", async () => {
    await using t = createTestMemory();
    expect(await twoFacts(t)).toMatchObject({
      id: "conflict:1",
      kind: "fact",
      status: "open",
      severity: "high",
      description: "Both cannot hold",
      fact_a: { id: "fact:1", statement: "a" },
      fact_b: { id: "fact:2", statement: "b" },
      winner: null,
      resolved_at: null,
    });
  });

  it("of a deleted fact are hidden until it is restored", async () => {
    await using t = createTestMemory();
    await twoFacts(t);
    const shown = async () => ({
      open: (await t.call("list_conflicts")).total,
      all: (await t.call("list_conflicts", { status: "all" })).conflicts.length,
      stats: (await t.call("stats")).conflicts.open,
      bootstrap: (await t.call("snapshot", { scopes: "bootstrap" })).bootstrap?.open_conflicts,
      recall: (await t.call("recall", { entity: "tool:x" })).open_conflicts.length,
    });
    await t.call("delete_episode", { episode_id: "ep:1" });
    expect(await shown()).toEqual({ open: 0, all: 0, stats: 0, bootstrap: 0, recall: 0 });
    await t.call("restore_episode", { episode_id: "ep:1" });
    expect(await shown()).toEqual({ open: 1, all: 1, stats: 1, bootstrap: 1, recall: 1 });
  });

  it("are unique per pair in either order", async () => {
    await using t = createTestMemory();
    await twoFacts(t);
    const again = await t.failure("open_conflict", { fact_a: "fact:2", fact_b: "fact:1" });
    expect(again.code).toBe("conflict");
    await t.call("dismiss_conflict", { conflict_id: "conflict:1" });
    expect((await t.call("open_conflict", { fact_a: "fact:2", fact_b: "fact:1" })).id).toBe(
      "conflict:2",
    );
  });

  it("resolve with a winner that supersedes the loser", async () => {
    await using t = createTestMemory();
    await twoFacts(t);
    const resolved = await t.call("resolve_conflict", {
      conflict_id: "conflict:1",
      winning_fact_id: "fact:2",
      note: "checked",
      resolved_by: "Ada",
    });
    expect(resolved).toMatchObject({
      status: "resolved",
      winner: "fact:2",
      note: "checked",
      resolved_by: "Ada",
      fact_a: { status: "superseded", superseded_by: "fact:2" },
    });
    const again = await t.failure("dismiss_conflict", { conflict_id: "conflict:1" });
    expect(again.code).toBe("conflict");
    expect((await t.call("events")).events.map((e: { kind: string }) => e.kind)).toEqual([
      "remembered",
      "remembered",
      "remembered",
      "conflict_opened",
      "conflict_resolved",
    ]);
  });

  it.each([
    [{ conflict_id: "conflict:1" }, "invalid_input", "fact:1 or fact:2"],
    [{ conflict_id: "conflict:1", winning_fact_id: "fact:3" }, "invalid_input", "not part of"],
    [{ conflict_id: "conflict:7", winning_fact_id: "fact:1" }, "not_found", "conflict:7"],
    [{ conflict_id: "fact:1", winning_fact_id: "fact:1" }, "invalid_input", "id of a fact"],
  ])("do not resolve with %j", async (input, code, hint) => {
    await using t = createTestMemory();
    await twoFacts(t);
    const error = await t.failure("resolve_conflict", input);
    expect([error.code, error.message]).toEqual([code, expect.stringContaining(hint)]);
    expect((await t.call("list_conflicts")).total).toBe(1);
  });
});

async function clusterOf(t: TestMemory, input: InputOf<"remember">): Promise<string> {
  return expectDefined((await t.call("remember", input)).cluster_id);
}
