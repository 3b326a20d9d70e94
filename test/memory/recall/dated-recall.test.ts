import { describe, expect, it } from "vitest";
import { expectDefined } from "../../support/defined.ts";
import { createTestMemory } from "../../support/test-memory.ts";
import { createWordEmbedder } from "../../support/word-embedder.ts";

const DAY = 86_400_000;
const ids = (items: readonly { id: string }[]) => items.map(({ id }) => id);

describe("recall of what happened at a time", () => {
  it.each([
    "which tournament did Nate win on 8 May 2022?",
    "which tournament did Nate win in the second week of May?",
    "which tournament did Nate win the day before 9 May 2022?",
  ])("puts first what is of that time: %s", async (query) => {
    await using t = createTestMemory({ embedder: createWordEmbedder() });
    const content = "Nate won a tournament";
    for (const month of ["01", "03", "05", "07"]) {
      await t.call("remember", { content, occurred_at: `2022-${month}-08` });
    }
    const { episodes } = await t.call("recall", { query, explain: true });
    expect(episodes[0]?.id).toBe("ep:3");
    expect(episodes.map(({ explain }) => explain?.date)).toEqual([1, 0, 0, 0]);
    expect(episodes[0]?.explain?.contributions).toContainEqual({
      kind: "date",
      from: "query",
      amount: 1,
    });
  });

  it("recognizes the day that an episode mentions", async () => {
    await using t = createTestMemory();
    await t.call("remember", { content: "Maria made dinner", occurred_at: "2023-05-02" });
    await t.call("remember", {
      content: "Maria made dinner last night",
      occurred_at: "2023-05-04",
    });
    await t.call("remember", { content: "Maria made dinner", occurred_at: "2023-05-06" });
    const { episodes } = await t.call("recall", { query: "what did Maria make on 3 May 2023?" });
    expect(episodes[0]?.id).toBe("ep:2");
  });

  it("adds no more than an episode's other matches", async () => {
    await using t = createTestMemory();
    const occurred_at = "2022-05-08";
    await t.call("remember", { content: "The tournament was hard", session: "s", occurred_at });
    for (const content of ["Who won?", "Nobody", "A pity", "So what?"]) {
      await t.call("remember", { content, session: "s", occurred_at: "2023-01-02T00:00:00Z" });
    }
    const { episodes } = await t.call("recall", {
      min_score: 0,
      query: "tournament in January 2023",
      explain: true,
    });
    const explained = episodes.map(({ explain }) => expectDefined(explain));
    const confirmed = explained.filter(({ date }) => date > 0);
    expect(confirmed.length).toBeGreaterThan(0);
    for (const { date, activation } of confirmed) {
      expect(date).toBeCloseTo(Math.min(1, activation - date), 4);
    }
  });

  it("finds nothing by date alone if the query has other words", async () => {
    await using t = createTestMemory();
    await t.call("remember", { content: "Lunch is at noon" });
    await t.call("remember", { content: "The cache lives in redis" });
    const { episodes } = await t.call("recall", { query: "where is the cache today?" });
    expect(ids(episodes)).toEqual(["ep:2"]);
  });

  it("finds a day's episodes, newest first, if the query is only a date", async () => {
    await using t = createTestMemory({ embedder: createWordEmbedder() });
    await t.call("remember", { content: "Lunch is at noon" });
    await t.call("remember", { content: "The cache lives in redis" });
    t.clock.advance(DAY);
    await t.call("remember", { content: "Tests are flaky" });
    const yesterday = await t.call("recall", { query: "what happened yesterday?" });
    expect(ids(yesterday.episodes)).toEqual(["ep:2", "ep:1"]);
    expect(yesterday.episodes[0]?.score).toBeGreaterThan(0.5);
    const lastMonth = await t.call("recall", { query: "what happened last month?" });
    expect(lastMonth.episodes).toEqual([]);
  });

  it("resolves relative dates from the as_of time", async () => {
    await using t = createTestMemory();
    await t.call("remember", { content: "The old release", occurred_at: "2025-03-04" });
    await t.call("remember", { content: "The new release", occurred_at: "2025-12-31" });
    const query = "what happened yesterday?";
    expect(ids((await t.call("recall", { query })).episodes)).toEqual(["ep:2"]);
    const then = await t.call("recall", { query, as_of: "2025-03-05" });
    expect(ids(then.episodes)).toEqual(["ep:1"]);
  });

  it("respects the scope", async () => {
    await using t = createTestMemory();
    await t.call("remember", { content: "One release", labels: "area=a" });
    await t.call("remember", { content: "Another release", labels: "area=b" });
    await t.call("remember", { content: "A third release" });
    await t.call("delete_episode", { episode_id: "ep:3" });
    const { episodes } = await t.call("recall", {
      query: "what happened today?",
      labels: "area=b",
    });
    expect(ids(episodes)).toEqual(["ep:2"]);
    const all = await t.call("recall", { query: "what happened today?" });
    expect(ids(all.episodes)).toEqual(["ep:2", "ep:1"]);
  });

  it("does not affect queries without a time", async () => {
    await using t = createTestMemory();
    await t.call("remember", { content: "The cache lives in redis", occurred_at: "2025-05-08" });
    const { episodes } = await t.call("recall", {
      query: "where may the cache live?",
      explain: true,
    });
    expect(episodes[0]?.explain).toMatchObject({ date: 0 });
  });
});
