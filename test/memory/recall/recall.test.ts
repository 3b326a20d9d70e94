import { describe, expect, it } from "vitest";
import { CONTRIBUTION_KINDS } from "../../../src/memory/recall/recall.schema.ts";
import { CairnError } from "../../../src/shared/errors.ts";
import { expectDefined, itemAt } from "../../support/defined.ts";
import { createTestMemory } from "../../support/test-memory.ts";
import { createReadingEmbedder, createWordEmbedder } from "../../support/word-embedder.ts";

const ids = (items: readonly { id: string }[]) => items.map(({ id }) => id);

describe("recall by text", () => {
  it("finds the episode that shares words with the query", async () => {
    await using t = createTestMemory();
    await t.apply(
      'remember "The build cache lives in redis"',
      'remember "Lunch is at noon"',
      'remember "Nobody likes flaky tests"',
    );
    const found = await t.call("recall", { query: "where is the build cache?" });
    expect(ids(found.episodes)).toEqual(["ep:1"]);
    expect(found).toMatchObject({ concepts: [], open_conflicts: [], partial: false });
    expect(found.formatted).toMatch(
      /^ep:1 · 0\.\d{3} · observation · 2026-01-01T00:00:00\.000Z\n {4}The build/,
    );
  });

  it("returns a message if no item contains the words", async () => {
    await using t = createTestMemory({ embedder: createWordEmbedder() });
    await t.apply('remember "The build cache lives in redis"', 'remember "Lunch is at noon"');
    const found = await t.call("recall", { query: "zorgle frobnicate" });
    expect(found).toEqual({
      concepts: [],
      episodes: [],
      open_conflicts: [],
      partial: false,
      formatted: "Nothing found for “zorgle frobnicate”.",
    });
  });

  it("ignores stop words", async () => {
    await using t = createTestMemory();
    await t.apply('remember "What is it that you have done with this?"');
    expect((await t.call("recall", { query: "what is this?" })).episodes).toEqual([]);
  });

  it("finds words of scripts without spaces, of identifiers and of dates", async () => {
    await using t = createTestMemory();
    await t.call("remember", { content: "東京タワーへ行きました" });
    await t.call("remember", { content: "parseChangeset rejects tabs" });
    await t.call("remember", { content: "The offsite was fun", occurred_at: "2025-05-08" });
    const first = async (query: string) => (await t.call("recall", { query })).episodes[0]?.id;
    expect(await first("東京")).toBe("ep:1");
    expect(await first("changeset")).toBe("ep:2");
    expect(await first("what happened on 8 May 2025?")).toBe("ep:3");
  });

  it("takes quotes, operators and control characters of the query as text", async () => {
    await using t = createTestMemory();
    await t.call("remember", { content: "NEAR the river" });
    for (const query of ['"', "a* OR (b", 'NEAR("x" "y")', "content:river", "-- ;", "^river$"]) {
      const found = await t.call("recall", { query: query === "" ? "x" : query });
      expect(found.partial).toBe(false);
    }
    expect(
      ids((await t.call("recall", { query: "content:river", min_score: 0 })).episodes),
    ).toEqual(["ep:1"]);
  });

  it("returns an empty result for a missing database", async () => {
    await using t = createTestMemory({ embedder: createWordEmbedder() });
    expect((await t.call("recall", { query: "anything" })).formatted).toContain("Nothing found");
    expect(await t.memory.isThere()).toBe(false);
  });
});

describe("recall by vectors", () => {
  it("finds paraphrases", async () => {
    await using t = createTestMemory({ embedder: createWordEmbedder([["car", "automobile"]]) });
    await t.apply('remember "The automobile is red"', 'remember "Soup needs salt"');
    const found = await t.call("recall", { query: "colour of the car", explain: true });
    expect(ids(found.episodes)).toEqual(["ep:1"]);
    expect(itemAt(found.episodes, 0).explain).toMatchObject({ text: 0, entity: 0 });
    expect(itemAt(found.episodes, 0).explain?.vector).toBeGreaterThan(0);
  });

  it("embeds the query without the names of people", async () => {
    const embedder = createWordEmbedder();
    await using t = createTestMemory({ embedder });
    await t.apply('remember e=person:Ada "I paint on Sundays"');
    await t.call("recall", { query: "What does Ada's weekend hold?" });
    expect(embedder.seen.at(-1)).toBe("What does  weekend hold?");
    await t.call("recall", { query: "Who is Ada?" });
    expect(embedder.seen.at(-1)).toBe("Who is Ada?");
  });

  it("computes missing vectors once", async () => {
    const embedder = createWordEmbedder();
    await using t = createTestMemory({ embedder });
    await t.apply('remember "The automobile is red"');
    await t.call("recall", { query: "red" });
    await t.call("recall", { query: "red" });
    expect(embedder.seen.filter((text) => text === "The automobile is red")).toHaveLength(1);
  });

  it("computes 500 of many missing vectors and reports a partial result", async () => {
    const embedder = createWordEmbedder();
    await using t = createTestMemory({ embedder });
    const ops = Array.from({ length: 501 }, (_, n) => ({ op: "remember", content: `entry ${n}` }));
    await t.call("apply", { changeset: JSON.stringify(ops) });
    expect((await t.call("recall", { query: "horse" })).partial).toBe(true);
    expect((await t.call("recall", { query: "horse" })).partial).toBe(false);
  });

  it("falls back to text with one warning if the embedder fails", async () => {
    const embedder = createWordEmbedder();
    const warnings: string[] = [];
    const logger = { info() {}, warn: (message: string) => warnings.push(message), error() {} };
    await using t = createTestMemory({ embedder, logger });
    await t.apply('remember "The automobile is red"');
    embedder.failure = new CairnError("unavailable", "the model is away");
    for (const _ of [1, 2]) {
      const found = await t.call("recall", { query: "red automobile" });
      expect(ids(found.episodes)).toEqual(["ep:1"]);
      expect(found.partial).toBe(true);
    }
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain("the model is away");
  });

  it("refuses a database of another embedder and names the cure", async () => {
    const first = createWordEmbedder();
    await using t = createTestMemory({ embedder: first });
    await t.apply('remember "The automobile is red"');
    await t.call("recall", { query: "red" });
    Object.assign(first, { identity: "words:2" });
    const error = await t.failure("recall", { query: "red" });
    expect(error.code).toBe("conflict");
    expect(error.message).toContain("cairn reindex");
  });
});

describe("recall by entity", () => {
  it("finds the newest episodes about an entity without a query", async () => {
    await using t = createTestMemory();
    await t.apply(
      'remember e=person:Ada "Paints on Sundays"',
      'remember e=person:Bob "Rows on Sundays"',
      'remember e=person:ADA "Prefers tea"',
    );
    const found = await t.call("recall", { entity: "person:ada" });
    expect(ids(found.episodes)).toEqual(["ep:3", "ep:1"]);
    expect(itemAt(found.episodes, 0).score).toBe(itemAt(found.episodes, 1).score);
  });

  it("boosts items about an entity in the query", async () => {
    await using t = createTestMemory();
    await t.apply(
      'remember e=person:Bob "Sundays are for rowing"',
      'remember e=person:Ada "Sundays are for painting"',
    );
    const found = await t.call("recall", { min_score: 0, query: "What does Ada do on sundays?" });
    expect(itemAt(found.episodes, 0).id).toBe("ep:2");
    expect(itemAt(found.episodes, 0).score).toBeGreaterThan(itemAt(found.episodes, 1).score);
  });

  it("searches only items about the entity", async () => {
    await using t = createTestMemory();
    await t.apply(
      'remember e=person:Bob session=s "Sundays are for rowing"',
      'remember e=person:Ada session=s "Sundays are for painting"',
    );
    const found = await t.call("recall", { query: "sundays", entity: "person:Ada" });
    expect(ids(found.episodes)).toEqual(["ep:2"]);
  });

  it("shows concepts made from the entity's episodes", async () => {
    await using t = createTestMemory();
    await t.apply(
      'remember as=a e=person:Ada "Paints on Sundays"',
      'concept title="Hobbies" from=$a type=pattern "What people do"',
    );
    const found = await t.call("recall", { entity: "person:Ada" });
    expect(found.concepts[0]).toMatchObject({
      title: "Hobbies",
      source: "entity",
      via: "person:Ada",
    });
  });

  it("returns nothing for an unknown entity", async () => {
    await using t = createTestMemory();
    await t.apply('remember e=person:Ada "Paints on Sundays"');
    const found = await t.call("recall", { query: "paints", entity: "person:Nobody" });
    expect(found.episodes).toEqual([]);
    expect(found.formatted).toBe("Nothing found for “paints” about person:Nobody.");
  });
});

describe("recall over the graph", () => {
  it("counts similarity within the noise for items about the queried entity", async () => {
    await using t = createTestMemory({ embedder: createWordEmbedder([["car", "automobile"]]) });
    const newer = Array.from(
      { length: 60 },
      (_, n) => `remember e=person:Ada "walks${"!".repeat(n)}"`,
    );
    await t.apply(
      'remember e=person:Ada "a car stood beside seven plain houses with their wet red roofs shining"',
      ...newer,
    );
    const query =
      "Which automobile would somebody rent, borrow, steal, paint, wash, crash, lock, park, sell?";
    const ask = async (entity?: string) =>
      ids(
        (
          await t.call("recall", {
            ...(entity !== undefined && { min_score: 0 }),
            query,
            entity,
            episode_k: 1,
          })
        ).episodes,
      );
    expect(await ask("person:Ada")).toEqual(["ep:1"]);
  });

  it("reaches neighbours of a match only within its session", async () => {
    await using t = createTestMemory();
    await t.apply(
      'remember session=one "Which colour shall the car have?"',
      'remember session=two "Soup needs salt"',
      'remember session=one "Green, like the old one"',
    );
    const found = await t.call("recall", {
      min_score: 0,
      query: "colour of the car",
      explain: true,
    });
    expect(ids(found.episodes)).toEqual(["ep:1", "ep:3"]);
    expect(itemAt(found.episodes, 1).explain).toMatchObject({ text: 0, vector: 0 });
    expect(itemAt(found.episodes, 1).explain?.neighbours).toBeGreaterThan(0);
    expect(itemAt(found.episodes, 1).explain?.session).toBeGreaterThan(0);
  });

  it.each([
    ["lend each other what vectors find, where each was read alone", createWordEmbedder],
    ["do not where each was read after what precedes it", createReadingEmbedder],
  ])("neighbours %s", async (_how, createEmbedder) => {
    await using t = createTestMemory({ embedder: createEmbedder([["car", "automobile"]]) });
    await t.apply(
      'remember session=one "Which colour shall the car have?"',
      'remember session=one "Green, like the old one"',
    );
    const { episodes } = await t.call("recall", {
      min_score: 0,
      query: "automobile",
      explain: true,
    });
    const lent = episodes.find(({ id }: { id: string }) => id === "ep:2")?.explain?.neighbours;
    expect((lent ?? 0) > 0).toBe(createEmbedder === createWordEmbedder);
  });

  it("does not reach a whole session through its hub", async () => {
    await using t = createTestMemory();
    await t.apply(
      'remember session=one "Which colour shall the car have?"',
      ...Array.from({ length: 6 }, (_, n) => `remember session=one "Word${n}"`),
    );
    const found = await t.call("recall", {
      min_score: 0,
      query: "colour of the car",
      episode_k: 50,
    });
    expect(ids(found.episodes)).toEqual(["ep:1", "ep:2", "ep:3"]);
  });

  it("reaches concepts over sources and relations and reports the path", async () => {
    await using t = createTestMemory();
    await t.apply(
      'remember as=a "Zebras sleep standing"',
      'concept as=c title="Resting animals" from=$a type=pattern "How they doze"',
      'remember as=b "Batteries store power"',
      'concept as=d title="Energy" from=$b type=pattern "Where it goes"',
      "link from=$c to=$d type=related_to",
    );
    const found = await t.call("recall", { min_score: 0, query: "dozing animals", explain: true });
    expect(found.concepts[0]).toMatchObject({ source: "direct", hops: 0 });
    expect(itemAt(found.concepts, 0).via).toBeUndefined();
    const resting = itemAt(found.concepts, 0);
    expect(found.concepts[1]).toMatchObject({
      title: "Energy",
      source: "spread",
      hops: 1,
      via: resting.id,
    });
    expect(ids(found.episodes)).toContain("ep:1");
    expect(itemAt(found.episodes, 0).explain?.evidence).toBeGreaterThan(0);
  });

  it("explains each score with contributions that add up", async () => {
    await using t = createTestMemory({ embedder: createWordEmbedder() });
    await t.apply(
      'remember session=s e=tool:redis "redis holds the build cache"',
      'remember session=s "and it is flushed on Fridays"',
      'remember t=fact e=tool:redis "redis listens on 6379"',
    );
    const found = await t.call("recall", { query: "redis cache", explain: true });
    for (const { score, explain } of [...found.episodes, ...found.concepts]) {
      const { activation, contributions, ...parts } = expectDefined(explain);
      expect(contributions.reduce((total, { amount }) => total + amount, 0)).toBeCloseTo(
        activation,
        4,
      );
      const sum = CONTRIBUTION_KINDS.reduce((all, kind) => all + parts[kind], 0);
      expect(sum).toBeCloseTo(activation, 4);
      expect(score).toBeLessThanOrEqual(1);
    }
    expect(found.explain).toMatchObject({
      words: ["redis", "cache"],
      entities: ["tool:redis"],
      vectors: true,
    });
  });
});

describe("recall of facts", () => {
  it("finds a cluster by its facts and shows the valid ones", async () => {
    await using t = createTestMemory();
    await t.apply(
      'remember as=a t=fact e=module:auth by=ops "The token TTL is 600 seconds"',
      'remember as=b t=fact e=module:auth "The token TTL is 900 seconds"',
    );
    await t.apply("supersede old=fact:1 new=fact:2");
    const found = await t.call("recall", { query: "token ttl" });
    expect(found.concepts).toHaveLength(1);
    expect(found.concepts[0]).toMatchObject({ type: "fact_cluster", source: "direct" });
    expect(ids(expectDefined(itemAt(found.concepts, 0).facts))).toEqual(["fact:2"]);
    expect(ids(found.episodes)).toEqual(["ep:2"]);
  });

  it("shows only the matching facts of a cluster", async () => {
    await using t = createTestMemory();
    const fact = (content: string, ...entities: string[]) =>
      t.call("remember", {
        content,
        episode_type: "fact",
        entities: ["project:shop", ...entities],
      });
    const { fact_id } = await fact("Node is 22.14 everywhere.", "tool:node");
    await fact("The storefront is deployed in Amsterdam.");
    await fact("Stock arrives by a webhook.", "module:worker");
    await fact("Free shipping begins at 90 euros.", "module:checkout");
    const { concepts, episodes } = await t.call("recall", { query: "which node version is used?" });
    expect(concepts).toMatchObject([{ facts: [{ id: fact_id }], fact_count: 4 }]);
    expect(concepts[0]?.facts).toHaveLength(1);
    expect(episodes).toHaveLength(1);
  });

  it("hides deleted facts and clusters without facts", async () => {
    await using t = createTestMemory();
    await t.apply('remember t=fact e=module:auth "The token TTL is 600 seconds"', "delete ep:1");
    const found = await t.call("recall", { query: "token ttl module:auth" });
    expect(found).toMatchObject({ concepts: [], episodes: [] });
  });

  it("warns of open conflicts between the facts that it shows", async () => {
    await using t = createTestMemory();
    await t.apply(
      'remember t=fact e=module:auth "The token TTL is 600 seconds"',
      'remember t=fact e=module:auth "The token TTL is 900 seconds"',
      'conflict fact_a=fact:1 fact_b=fact:2 severity=high "Which one?"',
      'remember "Lunch is at noon"',
    );
    const found = await t.call("recall", { query: "token ttl" });
    expect(ids(found.open_conflicts)).toEqual(["conflict:1"]);
    expect(itemAt(found.concepts, 0).open_conflicts).toEqual(["conflict:1"]);
    expect(found.formatted).toMatch(/^OPEN CONFLICTS \(1\)/m);
    const other = await t.call("recall", { query: "lunch" });
    expect(other.open_conflicts).toEqual([]);
    expect(other.formatted).not.toContain("OPEN CONFLICTS");
  });
});

describe("recall as of a time", () => {
  it("shows the fact of that time and hides what is younger", async () => {
    await using t = createTestMemory();
    await t.apply('remember t=fact e=module:auth "The token TTL is 600 seconds"');
    const first = t.clock.timestamp;
    t.clock.advance(86_400_000);
    await t.apply(
      'remember as=new t=fact e=module:auth "The token TTL is 900 seconds"',
      "supersede old=fact:1 new=$new",
      'remember as=e "The token TTL was discussed"',
      'concept title="token ttl policy" from=$e type=pattern "What we settled"',
    );
    const second = t.clock.timestamp;
    const past = await t.call("recall", { query: "token ttl", as_of: first });
    expect(ids(past.episodes)).toEqual(["ep:1"]);
    expect(past.concepts).toHaveLength(1);
    expect(ids(expectDefined(itemAt(past.concepts, 0).facts))).toEqual(["fact:1"]);
    const now = await t.call("recall", { query: "token ttl", as_of: second, k: 5 });
    expect(new Set(ids(now.episodes))).toEqual(new Set(["ep:2", "ep:3"]));
    expect(now.concepts).toHaveLength(2);
    const before = await t.call("recall", { query: "token ttl", as_of: "2025-12-31" });
    expect(before).toMatchObject({ concepts: [], episodes: [] });
  });

  it("uses the time of occurrence if known", async () => {
    await using t = createTestMemory();
    await t.call("remember", { content: "The merger was signed", occurred_at: "2020-03-01" });
    const seenAt = async (as_of: string) =>
      (await t.call("recall", { query: "merger", as_of })).episodes.length;
    expect(await seenAt("2020-02-29")).toBe(0);
    expect(await seenAt("2020-03-01")).toBe(1);
  });

  it("shows a fact valid at that time although it was recorded later", async () => {
    await using t = createTestMemory();
    await t.apply(
      'remember t=fact e=module:auth occurred_at=2020-01-01 "The token TTL is 600 seconds"',
      'remember t=fact e=module:auth occurred_at=2021-01-01 "The token TTL is 900 seconds"',
    );
    const seenAt = async (as_of: string) =>
      (await t.call("recall", { query: "token ttl", as_of })).concepts.map((cluster) =>
        ids(expectDefined(cluster.facts)),
      );
    expect(await seenAt("2019-12-31")).toEqual([]);
    expect(await seenAt("2020-06-01")).toEqual([["fact:1"]]);
    expect((await seenAt("2021-06-01"))[0]).toHaveLength(2);
  });

  it("omits newer conflicts", async () => {
    await using t = createTestMemory();
    await t.apply(
      'remember t=fact e=module:auth "The token TTL is 600 seconds"',
      'remember t=fact e=module:auth "The token TTL is 900 seconds"',
    );
    const before = t.clock.timestamp;
    t.clock.advance(1000);
    await t.apply("conflict fact_a=fact:1 fact_b=fact:2");
    const found = await t.call("recall", { query: "token ttl", as_of: before });
    expect(itemAt(found.concepts, 0).facts).toHaveLength(2);
    expect(found.open_conflicts).toEqual([]);
  });
});

describe("recall narrowed by labels and topics", () => {
  it("returns only episodes that carry every label", async () => {
    await using t = createTestMemory({ embedder: createWordEmbedder() });
    await t.apply(
      'remember session=s labels="team=core,area=ci" "The cache is full"',
      'remember session=s labels="team=core" "The cache is cold"',
      'remember session=s "The cache is warm"',
    );
    const with_ = async (labels: string) =>
      new Set(ids((await t.call("recall", { query: "cache", labels })).episodes));
    expect(await with_("team=core")).toEqual(new Set(["ep:1", "ep:2"]));
    expect(await with_("team=core,area=ci")).toEqual(new Set(["ep:1"]));
    expect(await with_("team=other")).toEqual(new Set());
  });

  it("finds a labelled item below hundreds of better matches without the label", async () => {
    await using t = createTestMemory();
    const ops = Array.from({ length: 400 }, () => ({
      op: "remember",
      content: "cache cache cache",
    }));
    await t.call("apply", { changeset: JSON.stringify(ops) });
    await t.call("remember", {
      content: "somewhere far down a cache is mentioned",
      labels: "team=core",
    });
    expect(ids((await t.call("recall", { query: "cache", labels: "team=core" })).episodes)).toEqual(
      ["ep:401"],
    );
  });

  it("includes a cluster through a fact's episode, with only those facts", async () => {
    await using t = createTestMemory();
    await t.apply(
      'remember t=fact e=module:auth labels="team=core" "The token TTL is 600 seconds"',
      'remember t=fact e=module:auth "The token TTL is 900 seconds"',
    );
    const found = await t.call("recall", { query: "token", labels: "team=core" });
    expect(ids(expectDefined(itemAt(found.concepts, 0).facts))).toEqual(["fact:1"]);
    const all = await t.call("recall", { query: "token" });
    expect(itemAt(all.concepts, 0).facts).toHaveLength(2);
  });

  it("spreads from labelled concepts to related ones without the label", async () => {
    await using t = createTestMemory();
    await t.apply(
      'remember as=a "x"',
      'concept as=c title="Caching" from=$a type=pattern "Keep it near"',
      'concept as=d title="Latency" from=$a type=pattern "Be quick"',
      "link from=$c to=$d type=implies",
      "label id=$c key=team value=core",
    );
    const found = await t.call("recall", { query: "caching", labels: { team: "core" }, k: 5 });
    expect(
      found.concepts.map(({ title, source }: { title: string; source: string }) => [title, source]),
    ).toEqual([
      ["Caching", "direct"],
      ["Latency", "spread"],
    ]);
  });

  it("returns only what belongs to the topic", async () => {
    await using t = createTestMemory();
    await t.call("create_topic", { name: "Build", description: "" });
    await t.call("remember", { content: "The cache is full", topic: "build" });
    await t.call("remember", { content: "The cache is cold" });
    expect(ids((await t.call("recall", { query: "cache", topic: "Build" })).episodes)).toEqual([
      "ep:1",
    ]);
    expect((await t.failure("recall", { query: "cache", topic: "none" })).code).toBe("not_found");
  });
});

describe("bounds of recall", () => {
  it("returns as many concepts and episodes as were asked for", async () => {
    await using t = createTestMemory();
    await t.apply(
      ...Array.from({ length: 8 }, (_, n) => `remember as=e${n} "cache number${n}"`),
      ...Array.from({ length: 5 }, (_, n) => `concept title="cache ${n}" from=$e${n} type=p "x"`),
    );
    const counts = async (input: object) => {
      const found = await t.call("recall", { query: "cache", ...input });
      return [found.concepts.length, found.episodes.length];
    };
    expect(await counts({})).toEqual([3, 5]);
    expect(await counts({ k: 0, episode_k: 8 })).toEqual([0, 8]);
    expect(await counts({ k: 1, episode_k: 0 })).toEqual([1, 0]);
  });

  it("omits items below min_score", async () => {
    await using t = createTestMemory();
    await t.apply('remember session=s "the cache is full"', 'remember session=s "so it goes"');
    const all = (await t.call("recall", { min_score: 0, query: "cache" })).episodes;
    expect(all).toHaveLength(2);
    const least = itemAt(all, 0).score;
    expect(ids((await t.call("recall", { query: "cache", min_score: least })).episodes)).toEqual([
      "ep:1",
    ]);
    expect((await t.call("recall", { query: "cache", min_score: 1 })).episodes).toEqual([]);
  });

  it("shows the best facts of a large cluster within a small budget", async () => {
    await using t = createTestMemory();
    const ops = Array.from({ length: 120 }, (_, n) => ({
      op: "remember",
      episode_type: "fact",
      content: `Replica ${n} of the shop keeps its orders for ${n} days`,
      entities: ["module:shop"],
    }));
    await t.call("apply", { changeset: JSON.stringify(ops) });
    const answer = await t.call("recall", { entity: "module:shop", max_chars: 400 });
    expect([...answer.formatted].length).toBeLessThanOrEqual(400);
    expect(answer.formatted).toContain("Replica");
    expect(answer.episodes.length + answer.concepts.length).toBeGreaterThan(0);
  });

  it("returns the best results by the deadline instead of failing", async () => {
    const embedder = createWordEmbedder();
    await using t = createTestMemory({ embedder });
    await t.apply('remember "the cache is full"');
    embedder.delayMs = 6_000;
    const start = Date.now();
    const found = await t.call("recall", { query: "cache", timeout_ms: 50 });
    expect(Date.now() - start).toBeLessThan(4_500);
    expect(found.partial).toBe(true);
    expect(await t.call("recall", { query: "cache", timeout_ms: 0 })).toMatchObject({
      partial: true,
    });
  });

  it("uses the context with half weight", async () => {
    await using t = createTestMemory();
    await t.apply('remember "the limit is ten"', 'remember "the limit of uploads is five"');
    const found = await t.call("recall", { query: "limit", context: "uploads" });
    expect(itemAt(found.episodes, 0).id).toBe("ep:2");
  });

  it("needs a query or an entity", async () => {
    await using t = createTestMemory();
    for (const input of [{}, { query: "  " }, { labels: "a=b" }, { context: "x" }]) {
      expect(await t.failure("recall", input)).toMatchObject({ code: "invalid_input" });
    }
    expect((await t.failure("recall", { entity: "nobody" })).message).toContain("entity");
  });

  it.each([
    ["k", -1],
    ["k", 1.5],
    ["episode_k", "5"],
    ["max_chars", 0],
    ["timeout_ms", -1],
    ["min_score", "high"],
    ["as_of", "2026-02-30"],
    ["labels", "nonsense"],
    ["query", 7],
    ["limit", 3],
  ])("refuses %s = %j", async (field, value) => {
    await using t = createTestMemory();
    const error = await t.failure("recall", { query: "x", [field]: value });
    expect(error.code).toBe("invalid_input");
    expect(error.message).toContain(field);
  });
});

describe("nothing found", () => {
  it("in an empty memory names the memory and how to select another", async () => {
    await using t = createTestMemory();
    const empty = (await t.call("recall", { query: "deploys" })).formatted;
    expect(empty).toMatch(
      /^Nothing found for “deploys”: the database "[^"]+" in (?:~|…|postgres:\/)\/\S+ is empty\. .*--db .*--data-dir/,
    );
    await t.call("remember", { content: "Lunch is at noon" });
    expect((await t.call("recall", { query: "deploys" })).formatted).toBe(
      "Nothing found for “deploys”.",
    );
  });
});
