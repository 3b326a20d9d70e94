import { describe, expect, it } from "vitest";
import { openMemory } from "../../../src/index.ts";

type Said = { readonly by?: string; readonly text: string; readonly at?: string };

function open() {
  return openMemory({ path: ":memory:", embedding: { provider: "none" } });
}

type Memory = ReturnType<typeof open>;

const DAY = 24 * 60 * 60 * 1000;

function conversation(memory: Memory, key: string, day: number, ...turns: Said[]) {
  const start = Date.UTC(2026, 2, 1) + day * DAY;
  return memory.read_source({
    kind: "claude-code",
    key,
    passages: turns.map(({ by = "user", text }, index) => ({
      key: String(index),
      by,
      text,
      occurred_at: new Date(start + index * 60_000).toISOString(),
    })),
  });
}

const RETRIES: readonly Said[] = [
  { text: "The upstream blocks us with 429s. Can you look at the retrier in src/retry.ts?" },
  { by: "assistant", text: "I will lower the attempts to a round five and run the tests." },
  { text: "Seven. Eight trips it." },
  {
    by: "assistant",
    text: "Settled: the retrier makes exactly 7 attempts, since the eighth passes the measured window of the upstream's rate limit.",
  },
];

const NOISE: readonly Said[] = [
  { text: "What does the linkify script of the changelog do with hashes of commits?" },
  {
    by: "assistant",
    text: "It matches forty hexadecimal characters and makes a link of each; short hashes are passed over for now.",
  },
];

describe("a source", () => {
  it("appends passages by key, once, with one event per batch", async () => {
    await using memory = open();
    expect(await conversation(memory, "a", 0, ...RETRIES.slice(0, 2))).toMatchObject({ added: 2 });
    expect(await conversation(memory, "a", 0, ...RETRIES)).toMatchObject({ added: 2 });
    expect(await conversation(memory, "a", 0, ...RETRIES)).toMatchObject({ added: 0 });
    const { events } = await memory.events();
    expect(events.map(({ kind, payload }) => [kind, payload?.passages])).toEqual([
      ["source_read", 2],
      ["source_read", 2],
    ]);
    expect((await memory.list_sources()).sources).toMatchObject([
      { passages: 4, kind: "claude-code" },
    ]);
  });

  it("that begins like another one is a fork, of which only new passages are stored", async () => {
    await using memory = open();
    await conversation(memory, "a", 0, ...RETRIES);
    const fork = [...RETRIES.slice(0, 2), ...NOISE];
    expect(await conversation(memory, "b", 1, ...fork)).toMatchObject({ added: 2 });
    expect(await conversation(memory, "b", 1, ...fork)).toMatchObject({ added: 0 });
    expect(await conversation(memory, "c", 2, ...RETRIES)).toMatchObject({ added: 0 });
    expect(await conversation(memory, "d", 3, ...RETRIES.slice(0, 1), ...NOISE)).toMatchObject({
      added: 3,
    });
  });

  it("is excluded from lists, counts and queues of episodes", async () => {
    await using memory = open();
    await conversation(memory, "a", 0, ...RETRIES);
    expect(await memory.list_episodes()).toMatchObject({ total: 0 });
    expect((await memory.snapshot({ scopes: ["pending", "recent:5"] })).pending).toMatchObject({
      count: 0,
    });
    expect((await memory.items({ count: true })).total).toBe(0);
  });

  it("does not change results without passages", async () => {
    await using memory = open();
    await memory.remember({ content: "The retrier is in src/retry.ts." });
    const before = await memory.recall({ query: "retrier" });
    await conversation(memory, "a", 0, ...RETRIES);
    expect(await memory.recall({ query: "retrier" })).toEqual(before);
  });

  it("is forgotten as a whole, remains forgotten, and can be restored", async () => {
    await using memory = open();
    await conversation(memory, "a", 0, ...RETRIES.slice(0, 2));
    await memory.delete({ id: "source:1" });
    expect(await conversation(memory, "a", 0, ...RETRIES)).toMatchObject({
      added: 0,
      forgotten: true,
    });
    const response = { query: "how many attempts of the retrier", passage_k: 3 };
    expect((await memory.recall(response)).passages ?? []).toEqual([]);
    await memory.restore({ id: "source:1" });
    expect((await memory.recall(response)).passages).not.toEqual([]);
  });

  it("is undone and redone as one change", async () => {
    await using memory = open();
    await conversation(memory, "a", 0, ...RETRIES);
    const kept = await memory.get_source({ source_id: "source:1" });
    await memory.undo({ change: "change:1" });
    expect(await memory.list_sources()).toMatchObject({ total: 0 });
    await memory.redo({ change: "change:2" });
    expect(await memory.get_source({ source_id: "source:1" })).toEqual(kept);
  });

  it("that is fully reread loses missing passages and regains them", async () => {
    await using memory = open();
    const read = (...texts: string[]) =>
      memory.read_source({
        kind: "decisions",
        key: "shop:docs/adr/1.md",
        complete: true,
        passages: texts.map((text) => ({
          ...{ key: text, role: "section" as const, by: "docs/adr/1.md", text },
          occurred_at: "2026-03-01T09:00:00.000Z",
        })),
      });
    const shown = async () =>
      (await memory.get_source({ source_id: "source:1" })).passages.map(({ text }) => text);
    const found = async (query: string) =>
      ((await memory.recall({ query, passage_k: 5 })).passages ?? []).map(({ text }) => text);
    await read("We keep Redis.", "We ship on Tuesdays.");
    expect(await read("We keep Valkey.", "We ship on Tuesdays.")).toMatchObject({
      ...{ added: 1, gone: 1 },
    });
    expect((await shown()).sort()).toEqual(["We keep Valkey.", "We ship on Tuesdays."]);
    expect(await found("Redis")).not.toContain("We keep Redis.");
    // Passages removed earlier stay removed after a restore.
    await memory.delete({ id: "source:1" });
    await memory.restore({ id: "source:1" });
    expect(await shown()).toHaveLength(2);
    expect(await read("We keep Redis.")).toMatchObject({ added: 1, gone: 2 });
    expect(await found("Redis")).toEqual(["We keep Redis."]);
    expect(await read("We keep Redis.")).toMatchObject({ added: 0, gone: 0 });
    expect(await read()).toMatchObject({ added: 0, gone: 1 });
    expect(await shown()).toEqual([]);
  });

  it("is purged with its passages, and not read again", async () => {
    await using memory = open();
    await conversation(memory, "a", 0, ...RETRIES);
    const { purged } = await memory.purge({ ids: "source:1" });
    expect(purged).toEqual(["source:1", "passage:1", "passage:2", "passage:3", "passage:4"]);
    expect(await conversation(memory, "a", 0, ...RETRIES)).toMatchObject({ added: 0 });
    await expect(memory.get_passage({ passage_id: "passage:1" })).rejects.toThrow(/no passage:1/);
    await expect(memory.restore({ id: "source:1" })).rejects.toThrow(/purged/);
  });

  it("masks secrets in passages", async () => {
    await using memory = open();
    const key = `ghp_${"aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"}`;
    await conversation(memory, "a", 0, { text: `use ${key} for the release` });
    const { text } = await memory.get_passage({ passage_id: "passage:1" });
    expect(text).not.toContain(key);
  });
});

describe("recall of passages", () => {
  it("shows the outcome, not the problem description", async () => {
    await using memory = open();
    await conversation(memory, "noise", 0, ...NOISE);
    await conversation(memory, "retries", 1, ...RETRIES);
    const { passages = [] } = await memory.recall({
      query: "our retrier goes on too long and crosses the rate limit of the upstream",
      passage_k: 3,
    });
    expect(passages[0]?.text).toContain("exactly 7 attempts");
    expect(passages.map(({ text }) => text)).toContain("Seven. Eight trips it.");
  });

  it("names the adjacent passages of the same conversation", async () => {
    await using memory = open();
    await conversation(memory, "a", 0, ...RETRIES);
    const { passages = [] } = await memory.recall({
      query: "attempts of the retrier",
      passage_k: 9,
    });
    const places = Object.fromEntries(
      passages.map(({ id, before, after }) => [id, [before, after]]),
    );
    expect(places).toMatchObject({
      "passage:1": [undefined, "passage:2"],
      "passage:4": ["passage:3", undefined],
    });
  });

  it("shows an amendment first and marks the former decision as replaced", async () => {
    await using memory = open();
    await conversation(memory, "first", 0, ...RETRIES);
    await conversation(
      memory,
      "later",
      30,
      { text: "Amendment to the retrier: the upstream doubled its rate limit window last week." },
      {
        by: "assistant",
        text: "Amended: the retrier makes exactly 9 attempts instead of 7, since the measured window of the upstream's rate limit has doubled.",
      },
    );
    const { passages = [] } = await memory.recall({
      query: "how many attempts may the retrier make before the rate limit of the upstream",
      passage_k: 4,
    });
    expect(passages[0]).toMatchObject({ source_id: "source:2" });
    expect(passages[0]?.standing).toBeUndefined();
    const former = passages.find(({ source_id }) => source_id === "source:1");
    expect(former).toMatchObject({ standing: "replaced", replaced_by: passages[0]?.id });
  });

  it("does not let sections of one file replace each other", async () => {
    await using memory = open();
    const sections = [
      "Changelog 3. The retrier no longer waits between the attempts.",
      "Changelog 2. The retrier makes 9 attempts instead of 7, as the rate limit was raised.",
      "Changelog 1. The retrier used to make one attempt; it makes 7 attempts.",
    ];
    await memory.read_source({
      ...{ kind: "decisions", key: "CHANGELOG.md" },
      passages: sections.map((text, index) => ({
        ...{ key: String(index), role: "section" as const, by: "CHANGELOG.md", text },
        occurred_at: "2026-03-01T09:00:00Z",
      })),
    });
    const query = "attempts of the retrier below the rate limit";
    const { passages = [] } = await memory.recall({ query, passage_k: 4 });
    expect(passages[0]?.text).toBe(sections[1]);
    expect(passages.filter(({ standing }) => standing !== undefined)).toEqual([]);
  });

  it("includes author, time and file", async () => {
    await using memory = open();
    await conversation(memory, "retries", 0, ...RETRIES);
    const query = "retrier attempts";
    const found = async (filter: object) =>
      ((await memory.recall({ query, passage_k: 9, ...filter })).passages ?? []).map(
        ({ id }) => id,
      );
    expect(await found({ by: "assistant" })).toEqual(["passage:4"]);
    expect(await found({ since: "2027-01-01" })).toEqual([]);
    expect(await found({ as_of: "2026-01-01" })).toEqual([]);
    expect(await found({ session: "retries" })).not.toEqual([]);
    expect(await found({ labels: "area=x" })).toEqual([]);
  });
});
