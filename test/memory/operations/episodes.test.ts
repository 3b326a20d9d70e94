import { describe, expect, it } from "vitest";
import { expectDefined, itemAt } from "../../support/defined.ts";
import { createTestMemory } from "../../support/test-memory.ts";

describe("remember", () => {
  it("numbers episodes from 1 and returns id, type and time", async () => {
    await using t = createTestMemory();
    expect(await t.call("remember", { content: "First" })).toEqual({
      id: "ep:1",
      episode_type: "observation",
      created_at: t.clock.timestamp,
    });
    expect((await t.call("remember", { content: "Second" })).id).toBe("ep:2");
  });

  it("keeps every field and shows lists as arrays", async () => {
    await using t = createTestMemory();
    await t.call("remember", {
      content: "  The build is red\n",
      episode_type: "outcome",
      entities: "File:src/App.ts, person:Ada  Lovelace",
      labels: "area=ci, url=http://x?a=b",
      metadata: '{"run": 7}',
      source_type: "ci",
      asserted_by: "robot",
      source_ref: "https://ci/7",
      session: "s1",
      occurred_at: "2025-12-24",
    });
    expect(await t.call("get_episode", { episode_id: "ep:1" })).toEqual({
      id: "ep:1",
      content: "  The build is red\n",
      episode_type: "outcome",
      entities: ["file:src/App.ts", "person:Ada  Lovelace"],
      labels: [
        { key: "area", value: "ci" },
        { key: "url", value: "http://x?a=b" },
      ],
      metadata: { run: 7 },
      source_type: "ci",
      asserted_by: "robot",
      source_ref: "https://ci/7",
      session: "s1",
      occurred_at: "2025-12-24T00:00:00.000Z",
      plan_id: null,
      spec_ids: [],
      depends_on: [],
      priority: null,
      topic_id: null,
      processed: false,
      fact_id: null,
      created_at: t.clock.timestamp,
      updated_at: t.clock.timestamp,
      deleted_at: null,
    });
  });

  it("takes custom types and names the nearest known one for a typo", async () => {
    await using t = createTestMemory({ episodeTypes: ["incident"] });
    expect((await t.call("remember", { content: "x", episode_type: "incident" })).id).toBe("ep:1");
    const error = await t.failure("remember", { content: "x", episode_type: "desicion" });
    expect(error.code).toBe("invalid_input");
    expect(error.message).toContain('Did you mean "decision"?');
  });

  it("returns the first result for a repeated idempotency key and rejects another request", async () => {
    await using t = createTestMemory();
    const request = { content: "Once", idempotency_key: "k1" };
    const first = await t.call("remember", request);
    t.clock.advance(1000);
    expect(await t.call("remember", request)).toEqual(first);
    expect((await t.call("list_episodes")).total).toBe(1);
    expect((await t.call("events")).count).toBe(1);
    const error = await t.failure("remember", { content: "Other", idempotency_key: "k1" });
    expect(error.code).toBe("conflict");
  });

  it("matches entity names without regard to case and white space, files exactly", async () => {
    await using t = createTestMemory();
    await t.call("remember", { content: "a", entities: "person:Ada Lovelace, file:Makefile" });
    await t.call("remember", { content: "b", entities: "PERSON:ada   lovelace, file:makefile" });
    const { entities } = await t.call("entities");
    expect(
      entities.map((e: { id: string; mention_count: number }) => [e.id, e.mention_count]),
    ).toEqual([
      ["person:Ada Lovelace", 2],
      ["file:makefile", 1],
      ["file:Makefile", 1],
    ]);
  });
});

describe("update_episode", () => {
  it("changes only given fields, and new content resets consolidation", async () => {
    await using t = createTestMemory();
    await t.call("remember", { content: "old", labels: "a=1, b=2" });
    await t.call("remember", { content: "plan" });
    await t.apply("processed ids=ep:1");
    t.clock.advance(5);
    const updated = await t.call("update_episode", {
      episode_id: "ep:1",
      content: "new",
      plan_id: "ep:2",
      spec_ids: "ep:2",
      depends_on: ["ep:2"],
      priority: "p1",
      labels: "c=3",
    });
    expect(updated).toMatchObject({
      content: "new",
      processed: false,
      plan_id: "ep:2",
      spec_ids: ["ep:2"],
      depends_on: ["ep:2"],
      priority: "p1",
      labels: [{ key: "c", value: "3" }],
      updated_at: t.clock.timestamp,
    });
    const cleared = await t.call("update_episode", {
      episode_id: "ep:1",
      labels: "",
      plan_id: "",
      priority: "",
    });
    expect(cleared).toMatchObject({ content: "new", labels: [], plan_id: null, priority: null });
  });

  it.each([
    [{ episode_id: "ep:1" }, "invalid_input", "names no field"],
    [{ episode_id: "ep:9", content: "x" }, "not_found", "ep:9"],
    [{ episode_id: "fact:1", content: "x" }, "invalid_input", "id of a fact"],
    [{ episode_id: "ep:1", content: " " }, "invalid_input", "content"],
    [{ episode_id: "ep:1", episode_type: "fact" }, "invalid_input", "episode_type"],
    [{ episode_id: "ep:1", plan_id: "ep:9" }, "not_found", "plan_id"],
    [{ episode_id: "ep:1", depends_on: "ep:1" }, "invalid_input", "depends_on"],
    [{ episode_id: "ep:1", priority: "p3" }, "invalid_input", "priority"],
    [{ episode_id: "ep:1", contents: "x" }, "invalid_input", 'Did you mean "content"?'],
  ])("refuses %j and changes nothing", async (input, code, hint) => {
    await using t = createTestMemory();
    await t.call("remember", { content: "first" });
    const before = await t.call("list_episodes");
    const error = await t.failure("update_episode", input);
    expect([error.code, error.message]).toEqual([code, expect.stringContaining(hint)]);
    expect(await t.call("list_episodes")).toEqual(before);
    expect((await t.call("events")).count).toBe(1);
  });
});

describe("delete and restore", () => {
  it("hides an episode, lists it as deleted, and brings it back", async () => {
    await using t = createTestMemory();
    await t.call("remember", { content: "one", entities: "tool:git", labels: "a=1" });
    await t.call("delete_episode", { episode_id: "ep:1" });
    expect((await t.failure("get_episode", { episode_id: "ep:1" })).code).toBe("not_found");
    expect((await t.call("list_deleted")).episodes).toHaveLength(1);
    expect((await t.call("list_labels")).labels).toEqual([]);
    expect(itemAt((await t.call("entities")).entities, 0).mention_count).toBe(0);
    expect((await t.failure("delete_episode", { episode_id: "ep:1" })).code).toBe("conflict");
    await t.call("restore_episode", { episode_id: "ep:1" });
    expect((await t.failure("restore_episode", { episode_id: "ep:1" })).code).toBe("conflict");
    expect((await t.call("get_episode", { episode_id: "ep:1" })).deleted_at).toBeNull();
  });
});

describe("lists", () => {
  it("inspect filters by time of occurrence, else of storage, days inclusive", async () => {
    await using t = createTestMemory();
    await t.call("remember", { content: "long ago", occurred_at: "2020-03-01T23:59:59Z" });
    await t.call("remember", { content: "told today" });
    const between = async (start_date: string, end_date: string) => {
      const found = await t.call("inspect", { show_episodes: true, start_date, end_date });
      return expectDefined(found.episodes).map(({ content }: { content: string }) => content);
    };
    expect(await between("2020-03-01", "2020-03-01")).toEqual(["long ago"]);
    expect(await between("2020-03-02", "2025-12-31")).toEqual([]);
    expect(await between("2026-01-01", "2026-01-01")).toEqual(["told today"]);
  });

  it("page newest first and filter by type and all labels", async () => {
    await using t = createTestMemory();
    for (const n of [1, 2, 3, 4, 5]) {
      await t.call("remember", {
        content: `e${n}`,
        labels: n % 2 ? "odd=yes, n=x" : "n=x",
        episode_type: n === 5 ? "decision" : "observation",
      });
      t.clock.advance(1);
    }
    const ids = (list: { episodes: { id: string }[] }) => list.episodes.map((e) => e.id);
    const second = await t.call("list_episodes", { page: 2, limit: 2 });
    expect(ids(second)).toEqual(["ep:3", "ep:2"]);
    expect(second).toMatchObject({ total: 5, page: 2, limit: 2 });
    expect(ids(await t.call("list_episodes", { labels: "odd=yes,n=x" }))).toEqual([
      "ep:5",
      "ep:3",
      "ep:1",
    ]);
    expect(ids(await t.call("list_episodes", { type: "decision" }))).toEqual(["ep:5"]);
  });

  it.each([{ limit: 0 }, { limit: 501 }, { page: 0 }, { limit: "5" }, { page: 1.5 }])(
    "refuse %j",
    async (input) => {
      await using t = createTestMemory();
      expect((await t.failure("list_episodes", input)).code).toBe("invalid_input");
    },
  );

  it("accept any type in the database", async () => {
    await using configured = createTestMemory({ episodeTypes: ["ticket"] });
    await configured.call("remember", { content: "one", episode_type: "ticket" });
    await using plain = createTestMemory({ folder: configured.folder });
    const { episodes } = await plain.call("list_episodes", { type: "ticket" });
    expect(episodes).toMatchObject([{ id: "ep:1", episode_type: "ticket" }]);
    const error = await plain.failure("list_episodes", { type: "tickets" });
    expect(error.code).toBe("invalid_input");
    const written = { content: "two", episode_type: "ticket" };
    expect((await plain.failure("remember", written)).code).toBe("invalid_input");
  });
});
