import { expect, it } from "vitest";
import { expectDefined } from "../../support/defined.ts";
import { createTestMemory } from "../../support/test-memory.ts";
import { createWordEmbedder } from "../../support/word-embedder.ts";

it("reports a returned item with its score contributions", async () => {
  await using t = createTestMemory({ embedder: createWordEmbedder() });
  await t.apply('remember e=tool:redis "redis holds the build cache"');
  const answer = await t.call("why_not", { id: "ep:1", query: "redis cache" });
  expect(answer).toMatchObject({
    returned: true,
    rank: 1,
    words: { query: ["redis", "cache"], held: ["redis", "cache"], missing: [] },
    reasons: ["It is returned: number 1 of 1."],
  });
  expect(expectDefined(answer.explain).contributions).toContainEqual({
    kind: "entity",
    from: "tool:redis",
    amount: 1,
  });
});

it("reports missing words and similarity below the noise level", async () => {
  await using t = createTestMemory({ embedder: createWordEmbedder() });
  await t.apply('remember "redis holds the build cache"', 'remember "we deploy on Tuesdays"');
  const answer = await t.call("why_not", { id: "ep:2", query: "redis cache" });
  expect(answer).toMatchObject({ returned: false });
  expect(expectDefined(answer.similarity).cosine).toBeLessThanOrEqual(
    expectDefined(answer.similarity).floor,
  );
  expect(answer.reasons[0]).toBe("It contains none of the words redis, cache.");
  expect(answer.reasons[1]).toContain("within the noise of the embedder");
});

it("reports the limit needed for a lower-ranked item", async () => {
  await using t = createTestMemory();
  await t.apply(
    'remember "the cache of the build is redis"',
    'remember "cache"',
    'remember "cache hit"',
  );
  const found = await t.call("recall", { query: "cache", episode_k: 3 });
  const last = expectDefined(found.episodes.at(-1)).id;
  const answer = await t.call("why_not", { id: last, query: "cache", episode_k: 2 });
  expect(answer).toMatchObject({ returned: false, rank: 3, asked: 2 });
  expect(answer.reasons).toEqual([expect.stringContaining("episode_k=3 returns it")]);
  const response = await t.call("recall", {
    query: "cache",
    episode_k: expectDefined(answer.rank),
  });
  expect(response.episodes.map(({ id }: { id: string }) => id)).toContain(last);
});

it("reports an excluding filter and resolves a fact to its episode", async () => {
  await using t = createTestMemory();
  await t.apply('remember t=fact e=tool:cache labels=area=build "The cache lives an hour"');
  const answer = await t.call("why_not", { id: "fact:1", query: "cache", labels: "area=ui" });
  expect(answer).toMatchObject({ id: "ep:1", returned: false });
  expect(answer.reasons[0]).toContain("outside the search scope");
});

it("names the source of each contribution: neighbour, session, evidence, relation, fact", async () => {
  await using t = createTestMemory();
  await t.apply(
    'remember as=a session=s "redis holds the build cache"',
    'remember as=b session=s "and it is flushed on Fridays"',
    'concept as=one title="Caching" from=$a "we cache"',
    'concept as=two title="Flushing" from=$b "on Fridays"',
    "link from=$one to=$two type=implies",
    'remember t=fact e=tool:x "redis listens on 6379"',
  );
  const found = await t.call("recall", {
    ...{ query: "redis", k: 9, episode_k: 9, min_score: 0, explain: true },
  });
  const froms = (
    item: { explain?: { contributions: { kind: string; from: string }[] } | undefined } | undefined,
  ) => item?.explain?.contributions.map(({ kind, from }) => `${kind} ${from}`).sort();
  const episode = (id: string) => found.episodes.find((item: { id: string }) => item.id === id);
  const concept = (title: string) =>
    found.concepts.find((item: { title: string }) => item.title === title);
  expect(froms(episode("ep:2"))).toEqual(["neighbours ep:1", "session ep:1"]);
  expect(froms(concept("Caching"))).toEqual(["evidence ep:1"]);
  expect(froms(concept("Flushing"))).toEqual([`relations ${expectDefined(concept("Caching")).id}`]);
  const cluster = found.concepts.find((item: { type: string }) => item.type === "fact_cluster");
  expect(froms(cluster)).toContain("text ep:3");
});
