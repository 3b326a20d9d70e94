import fc from "fast-check";
import { expect, it } from "vitest";
import { itemAt } from "../../support/defined.ts";
import { createTestMemory } from "../../support/test-memory.ts";
import { countTurns } from "../../support/turns.ts";

type Row = { id: string; kind: string; at: string; open_conflicts: string[] };
const ids = (answer: { items: readonly Row[] }) => answer.items.map(({ id }) => id);

async function shop() {
  const t = createTestMemory();
  await t.apply(
    "topic name=deploys",
    'remember as=a t=decision by=Ada e=tool:node labels=area=build session=one topic=deploys occurred_at=2026-01-05 "We build with Node"',
    'remember t=fact by=Ada e=tool:cache occurred_at=2026-02-10 "The timeout is 10 seconds"',
    'remember t=fact by=Bo e=tool:cache occurred_at=2026-02-12 source_ref=wiki "The timeout is 30 seconds"',
    'remember by=Bo e=tool:cache,tool:node labels=area=cache session=one occurred_at=2026-03-01 "Timeouts hurt customers"',
    'concept title="Builds" from=$a labels=area=build type=rule "Keep builds reproducible"',
    "conflict fact_a=fact:1 fact_b=fact:2",
    "processed ids=$a",
  );
  return t;
}

it.each<[object, string[]]>([
  [{ kinds: "episode" }, ["ep:4", "ep:3", "ep:2", "ep:1"]],
  [{ kinds: "episodes", sort: "oldest", limit: 2 }, ["ep:1", "ep:2"]],
  [{ kinds: "fact" }, ["fact:2", "fact:1"]],
  [{ kinds: "entity", type: "tool" }, ["tool:cache", "tool:node"]],
  [{ kinds: "episode", since: "2026-02-11" }, ["ep:4", "ep:3"]],
  [{ kinds: "episode", until: "2026-02" }, ["ep:3", "ep:2", "ep:1"]],
  [{ kinds: "episode", since: "2026-02-10", until: "2026-02-10" }, ["ep:2"]],
  [{ by: "Ada" }, ["ep:2", "ep:1"]],
  [{ by: "Ada,Bo", type: "fact" }, ["ep:3", "ep:2"]],
  [{ kinds: "episode", entity: "tool:Cache,tool:node" }, ["ep:4"]],
  [{ kinds: "entity", entity: "tool:Cache" }, ["tool:cache"]],
  [{ entity: "tool:unheard-of" }, []],
  [{ kinds: "episode", labels: "area=build" }, ["ep:1"]],
  [{ topic: "Deploys" }, ["ep:1"]],
  [{ session: "one" }, ["ep:4", "ep:1"]],
  [{ pending: true }, ["ep:4", "ep:3", "ep:2"]],
  [{ pending: false }, ["ep:1"]],
  [{ kinds: "episode,fact", has: "conflict" }, ["fact:2", "ep:3", "fact:1", "ep:2"]],
  [{ kinds: "episode", has: "source" }, ["ep:3"]],
  [{ kinds: "episode", text: "timeout" }, ["ep:4", "ep:3", "ep:2"]],
  [{ kinds: "episode", text: "cust time" }, []],
  [{ kinds: "episode", text: "timeout sec" }, ["ep:3", "ep:2"]],
  [{ kinds: "episode", text: '"*" (' }, []],
  [{ kinds: "entity", text: "CAC" }, ["tool:cache"]],
])("finds %j", async (input, expected) => {
  await using t = await shop();
  expect(ids(await t.call("items", input))).toEqual(expected);
});

it("shows what a row needs, of every kind", async () => {
  await using t = await shop();
  const { items } = await t.call("items", { kinds: "fact,concept,entity", limit: 500 });
  const row = (id: string) => items.find((item: Row) => item.id === id);
  expect(row("fact:2")).toMatchObject({
    text: "The timeout is 30 seconds",
    at: "2026-02-12T00:00:00.000Z",
    asserted_by: "Bo",
    entities: ["tool:cache"],
    episode_id: "ep:3",
    open_conflicts: ["conflict:1"],
  });
  expect(row("tool:cache")).toMatchObject({ title: "cache", mention_count: 3 });
  expect(items.find((item: Row & { type: string }) => item.type === "fact_cluster")).toMatchObject({
    open_conflicts: ["conflict:1"],
  });
});

it("counts totals and facets, ignoring each facet's own filter", async () => {
  await using t = await shop();
  const answer = await t.call("items", {
    kinds: "episode",
    type: "fact",
    count: true,
    facets: "type,by,entity,label,topic,session",
  });
  expect(answer.total).toBe(2);
  expect(answer.facets).toEqual({
    type: [
      { value: "fact", count: 2 },
      { value: "decision", count: 1 },
      { value: "observation", count: 1 },
    ],
    by: [
      { value: "Ada", count: 1 },
      { value: "Bo", count: 1 },
    ],
    entity: [{ value: "tool:cache", count: 2 }],
    label: [],
    topic: [],
    session: [],
  });
});

it("omits deleted items and their conflicts", async () => {
  await using t = await shop();
  await t.apply("delete id=ep:2");
  const answer = await t.call("items", { kinds: "episode,fact", facets: "entity" });
  expect(ids(answer)).toEqual(["ep:4", "fact:2", "ep:3", "ep:1"]);
  expect(itemAt(answer.facets?.entity, 0)).toEqual({ value: "tool:cache", count: 3 });
  expect(ids(await t.call("items", { has: "conflict" }))).toEqual([]);
});

it("truncates a long text at a character boundary and reports it", async () => {
  await using t = createTestMemory();
  await t.call("remember", { content: "😀".repeat(2001) });
  const { items } = await t.call("items", { kinds: "episode" });
  expect(items[0]).toMatchObject({ text: "😀".repeat(2000), cut: true });
});

it.each([
  [{ since: "soonish" }, "since: must be a date such as"],
  [{ since: "today", until: "yesterday" }, "is after until"],
  [{ type: "decison" }, 'Did you mean "decision"?'],
  [{ kinds: "epsiode" }, 'Did you mean "episode"?'],
  [{ has: "conflcts" }, 'Did you mean "conflict"?'],
  [{ facets: "colour" }, "is not one of kind, type"],
  [{ entity: "planet:mars" }, "is not an entity"],
  [{ topic: "nowhere" }, 'there is no topic "nowhere"'],
  [{ cursor: "nonsense" }, "use `next_cursor`"],
  [{ limit: 501 }, "limit"],
  [{ sort: "rank" }, "sort"],
  [{ athor: "Ada" }, "unknown field"],
])("says of %j what to give instead", async (input, message) => {
  await using t = await shop();
  expect((await t.failure("items", input)).message).toContain(message);
});

it("refuses a cursor of another order", async () => {
  await using t = await shop();
  const { next_cursor: cursor } = await t.call("items", { limit: 1 });
  const error = await t.failure("items", { limit: 1, cursor, sort: "oldest" });
  expect(error.message).toContain("belongs to sort=newest");
});

it("returns each item exactly once across pages during concurrent writes", async () => {
  await using t = createTestMemory();
  const added = fc.array(
    fc.record({
      day: fc.integer({ min: 1, max: 3 }),
      fact: fc.boolean(),
      entity: fc.constantFrom("tool:a", "tool:b", "file:c"),
    }),
    { minLength: 1, maxLength: 4 },
  );
  const sort = fc.constantFrom("newest", "oldest", "updated");
  // One memory grows across runs, because opening a new one costs more than paging.
  await t.apply('remember "first"', 'concept title="One" from=ep:1 "summary"');
  let written = 0;
  await fc.assert(
    fc.asyncProperty(added, sort, fc.integer({ min: 1, max: 6 }), async (days, order, limit) => {
      await t.apply(
        ...days.map(
          ({ day, fact, entity }, index) =>
            `remember t=${fact ? "fact" : "observation"} e=${entity} occurred_at=2026-01-0${day} "number ${index}"`,
        ),
      );
      const response = { kinds: "episode,fact,concept,entity", sort: order };
      const whole = ids(await t.call("items", { ...response, limit: 500 }));
      const paged: string[] = [];
      let meanwhile = 0;
      let cursor: string | undefined;
      do {
        const page = await t.call("items", { ...response, limit, ...(cursor && { cursor }) });
        paged.push(...ids(page));
        cursor = page.next_cursor ?? undefined;
        // Writes at the other end of the list must not shift a page.
        if (order !== "updated" && meanwhile < 2) {
          meanwhile += 1;
          written += 1;
          const year = order === "oldest" ? 2025 - written : 2026 + written;
          await t.apply(`remember occurred_at=${year}-01-01 "written meanwhile"`);
        }
      } while (cursor !== undefined);
      expect(paged).toEqual(whole);
      expect(new Set(paged).size).toBe(paged.length);
    }),
    // No shrinking: the memory contains the records of earlier runs.
    { numRuns: 10, endOnFailure: true },
  );
}, 120_000);

it("counts what happened in each bucket, by type or author", async () => {
  await using t = await shop();
  expect(await t.call("timeline", { kinds: "episode", bucket: "month", group: "by" })).toEqual({
    bucket: "month",
    total: 4,
    buckets: [
      { start: "2026-01-01", count: 1, by: { Ada: 1 } },
      { start: "2026-02-01", count: 2, by: { Ada: 1, Bo: 1 } },
      { start: "2026-03-01", count: 1, by: { Bo: 1 } },
    ],
  });
  const weeks = await t.call("timeline", { kinds: "fact", bucket: "week" });
  expect(weeks.buckets).toEqual([{ start: "2026-02-09", count: 2, by: { fact: 2 } }]);
});

it("yields to the event loop between page, total and facets", async () => {
  await countTurns(async (turn) => {
    const turns: number[] = [];
    await using t = createTestMemory({ onStatement: () => turns.push(turn()) });
    await t.apply("remember e=tool:git labels=kind=note 'one'");
    turns.length = 0;
    await t.call("items", { count: true, facets: ["entity", "label", "type"] });
    expect(new Set(turns).size).toBeGreaterThanOrEqual(5);
  });
});

it("ranks the best matches first and pages through the others, newest first", async () => {
  await using t = createTestMemory();
  await t.apply(
    'remember occurred_at=2026-01-01 "Gateway timeout: the gateway timeout is 30 seconds"',
    ...Array.from(
      { length: 6 },
      (_, day) =>
        `remember occurred_at=2026-02-0${day + 1} "On day ${day} we discussed lunch, holidays, the weather and, in passing, a timeout of the gateway in a long meeting"`,
    ),
    'remember occurred_at=2026-03-01 "Nothing of it"',
    'concept title="Gateway timeout" from=ep:1 "Retry after it"',
  );
  const paged: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await t.call("items", {
      text: "gateway timeout",
      kinds: "episode,concept,entity",
      sort: "best",
      limit: 2,
      ...(cursor !== undefined && { cursor }),
    });
    paged.push(...ids(page));
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  const whole = ids(
    await t.call("items", {
      text: "gateway timeout",
      kinds: "episode,concept,entity",
      sort: "best",
    }),
  );
  expect(paged).toEqual(whole);
  expect(whole).toHaveLength(8);
  expect(whole.slice(0, 2)).toContain("ep:1");
  expect(ids(await t.call("items", { kinds: "episode", sort: "best", limit: 1 }))).toEqual([
    "ep:8",
  ]);
});
