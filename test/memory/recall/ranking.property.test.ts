import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createTestMemory, type TestMemory } from "../../support/test-memory.ts";
import { createWordEmbedder } from "../../support/word-embedder.ts";

const WORDS = ["cache", "token", "redis", "deploy", "friday", "tabs", "soup", "river"];
const SESSIONS = ["one", "two"];
const RUNS = { numRuns: 6, seed: 20_260_101 };

const words = (count: number) =>
  fc
    .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: count })
    .map((all) => all.join(" "));

const episode = fc.record({
  content: words(6),
  session: fc.option(fc.constantFrom(...SESSIONS), { nil: undefined }),
  entities: fc.option(fc.constantFrom("tool:redis", "person:Ada"), { nil: undefined }),
  labels: fc.option(fc.constantFrom("team=core", "team=web"), { nil: undefined }),
  episode_type: fc.constantFrom("observation", "fact"),
});

const memoryOf = fc.array(episode, { minLength: 1, maxLength: 12 });

interface Found {
  readonly concepts: readonly { id: string; score: number }[];
  readonly episodes: readonly {
    id: string;
    score: number;
    labels: { key: string; value: string }[];
  }[];
  readonly formatted: string;
}

async function fill(t: TestMemory, episodes: readonly object[]): Promise<void> {
  const ops = episodes.map((one) => ({ op: "remember", ...one }));
  await t.call("apply", { changeset: JSON.stringify(ops) });
}

const ask = (t: TestMemory, input: object): Promise<Found> =>
  t.call("recall", { k: 20, episode_k: 20, ...input });

describe("any stored content", () => {
  it("has scores in 0..1 in descending order, within k and episode_k", async () => {
    await fc.assert(
      fc.asyncProperty(memoryOf, words(4), fc.nat(4), async (episodes, query, count) => {
        await using t = createTestMemory({ embedder: createWordEmbedder() });
        await fill(t, episodes);
        for (const { concepts, episodes: found } of [
          await ask(t, { query }),
          await ask(t, { query, k: count, episode_k: count }),
        ]) {
          for (const list of [concepts, found]) {
            const scores = list.map(({ score }) => score);
            expect(scores).toEqual([...scores].sort((a, b) => b - a));
            expect(scores.every((score) => score > 0 && score <= 1)).toBe(true);
            expect(new Set(list.map(({ id }) => id)).size).toBe(list.length);
          }
        }
        const bounded = await ask(t, { query, k: count, episode_k: count });
        expect(bounded.concepts.length).toBeLessThanOrEqual(count);
        expect(bounded.episodes.length).toBeLessThanOrEqual(count);
      }),
      RUNS,
    );
  });

  it("the same query has the same result", async () => {
    await fc.assert(
      fc.asyncProperty(memoryOf, words(4), async (episodes, query) => {
        await using t = createTestMemory({ embedder: createWordEmbedder() });
        await fill(t, episodes);
        expect(await ask(t, { query })).toEqual(await ask(t, { query }));
      }),
      RUNS,
    );
  });

  it("an unrelated item never outranks the best match", async () => {
    await fc.assert(
      fc.asyncProperty(memoryOf, words(3), async (episodes, query) => {
        await using t = createTestMemory({ embedder: createWordEmbedder() });
        await fill(t, episodes);
        const before = await ask(t, { query });
        await fill(t, [{ content: "umbrella violin glacier", session: "elsewhere" }]);
        const after = await ask(t, { query });
        const best = before.episodes[0]?.id;
        if (best !== undefined) expect(after.episodes.map(({ id }) => id)).toContain(best);
        expect(after.episodes.map(({ id }) => id)).not.toContain(`ep:${episodes.length + 1}`);
      }),
      RUNS,
    );
  });

  it("label filters return exactly the labelled episodes", async () => {
    await fc.assert(
      fc.asyncProperty(memoryOf, words(4), async (episodes, query) => {
        await using t = createTestMemory();
        await fill(t, episodes);
        const narrow = await ask(t, { query, labels: "team=core", min_score: 0 });
        for (const { labels } of narrow.episodes) {
          expect(labels).toContainEqual({ key: "team", value: "core" });
        }
        const requested = new Set(query.split(" "));
        const expected = episodes.flatMap((one, index) =>
          one.labels === "team=core" && one.content.split(" ").some((word) => requested.has(word))
            ? [`ep:${index + 1}`]
            : [],
        );
        expect(narrow.episodes.map(({ id }) => id)).toEqual(expect.arrayContaining(expected));
      }),
      RUNS,
    );
  });

  it("max_chars leaves whole items out and never exceeds its bound", async () => {
    await fc.assert(
      fc.asyncProperty(
        memoryOf,
        words(4),
        fc.integer({ min: 1, max: 1500 }),
        async (episodes, query, most) => {
          await using t = createTestMemory();
          await fill(t, episodes);
          const whole = await ask(t, { query });
          const cut = await ask(t, { query, max_chars: most });
          expect([...cut.formatted].length).toBeLessThanOrEqual(most);
          const ids = (found: Found) => [...found.concepts, ...found.episodes].map(({ id }) => id);
          const stored = ids(cut);
          expect(ids(whole).filter((id) => stored.includes(id))).toEqual(stored);
          expect(stored.length > 0).toBe(ids(whole).length > 0);
        },
      ),
      RUNS,
    );
  });

  it("a later as_of never hides an episode that an earlier one showed", async () => {
    await fc.assert(
      fc.asyncProperty(memoryOf, words(4), async (episodes, query) => {
        await using t = createTestMemory();
        const times: string[] = [];
        for (const one of episodes.slice(0, 6)) {
          await t.call("remember", one);
          times.push(t.clock.timestamp);
          t.clock.advance(60_000);
        }
        let earlier = new Set<string>();
        for (const as_of of times) {
          const found = new Set(
            (await ask(t, { query, as_of, min_score: 0 })).episodes.map(({ id }) => id),
          );
          for (const id of earlier) expect(found).toContain(id);
          earlier = found;
        }
      }),
      { ...RUNS, numRuns: 3 },
    );
  });
});
