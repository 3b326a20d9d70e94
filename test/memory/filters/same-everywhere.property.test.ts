// @module-tag long: random histories.
import fc from "fast-check";
import { expect, it } from "vitest";
import { scaleRuns } from "../../support/scale-runs.ts";
import { createTestMemory, type TestMemory } from "../../support/test-memory.ts";

const LONG = { timeout: 180_000 };

interface Told {
  readonly by: string;
  readonly type: string;
  readonly entities: string;
  readonly labels: string;
  readonly topic: string;
  readonly session: string;
  readonly word: string;
  readonly day: number;
  readonly afterwards: "nothing" | "deleted" | "labelled" | "processed" | "made a concept";
}

const told: fc.Arbitrary<Told> = fc.record({
  by: fc.constantFrom("Ada", "Bo"),
  type: fc.constantFrom("decision", "observation", "fact"),
  entities: fc.constantFrom("tool:node", "tool:cache", "tool:cache,tool:node"),
  labels: fc.constantFrom("area=build", "area=cache", "area=build,owner=ops"),
  topic: fc.constantFrom("deploys", "billing"),
  session: fc.constantFrom("one", "two"),
  word: fc.constantFrom("slow", "fast"),
  day: fc.integer({ min: 1, max: 20 }),
  afterwards: fc.constantFrom("nothing", "deleted", "labelled", "processed", "made a concept"),
});

/** Filters on stored items. A change matches if its items match. */
const filters = fc.record(
  {
    type: fc.constantFrom("decision", "observation,fact", "rule"),
    entity: fc.constantFrom("tool:node", "tool:cache", "tool:unheard"),
    labels: fc.constantFrom("area=build", "area=build,owner=ops"),
    not_labels: fc.constantFrom("area=build", "later=yes"),
    topic: fc.constantFrom("deploys", "billing"),
    pending: fc.boolean(),
    has: fc.constantFrom("source", "collision"),
    text: fc.constantFrom("slow", "fast"),
    as_of: fc.constantFrom("2026-01-10", "2020"),
    known_at: fc.constantFrom("2026-01-10", "2030"),
  },
  { requiredKeys: [] },
);

/** Filters that a change matches by its own time, author and session. */
const ofItemsAlone = fc
  .record(
    {
      since: fc.constantFrom("2026-01-05", "2026-01-12"),
      until: fc.constantFrom("2026-01-05", "2026-01-12"),
      by: fc.constantFrom("Ada", "Ada,Bo", "Cy"),
      session: fc.constantFrom("one", "two,three"),
    },
    { requiredKeys: [] },
  )
  .filter(({ since = "", until = "9" }) => since <= until);

async function writeAll(t: TestMemory, list: readonly Told[]): Promise<void> {
  await t.apply(
    "topic name=deploys",
    "topic name=billing",
    "topic name=unused",
    // The filter rejects unknown types, so one record has type `rule`.
    'remember as=base by=Bo "It stands"',
    'concept title="Standing" from=$base type=rule "It stands"',
  );
  for (const [place, { afterwards, ...one }] of list.entries()) {
    const { id } = await t.call("remember", {
      content: `The ${one.word} run ${place} of ${one.type}`,
      episode_type: one.type,
      entities: one.entities,
      labels: one.labels,
      topic: one.topic,
      session: one.session,
      asserted_by: one.by,
      occurred_at: `2026-01-${String(one.day).padStart(2, "0")}`,
      ...(place % 2 === 0 && { source_ref: "wiki" }),
    });
    if (afterwards === "deleted") await t.call("delete_episode", { episode_id: id });
    if (afterwards === "labelled") await t.call("label", { id, key: "later", value: "yes" });
    if (afterwards === "processed") await t.apply(`processed ids=${id}`);
    if (afterwards === "made a concept") {
      await t.apply(
        `concept title="Run ${place}" from=${id} type=rule topic=${one.topic} "It is ${one.word}"`,
      );
    }
    t.clock.advance(3_600_000);
  }
}

const idsOf = (list: readonly { readonly id: string }[] = []) => list.map(({ id }) => id);

async function passing(t: TestMemory, filter: { readonly text?: string }): Promise<Set<string>> {
  const { items } = await t.call("items", { kinds: "episode,concept", limit: 500, ...filter });
  if (filter.text !== undefined) return new Set(idsOf(items));
  const gone = await t.call("list_deleted", { limit: 500, ...filter });
  return new Set([...idsOf(items), ...idsOf(gone.episodes), ...idsOf(gone.concepts)]);
}

it(
  "lets changes and events pass by the items that they are about, and by nothing else",
  LONG,
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(told, { minLength: 1, maxLength: 8 }),
        filters,
        async (list, filter) => {
          await using t = createTestMemory();
          await writeAll(t, list);
          const passes = await passing(t, filter);
          const isNarrowed = Object.keys(filter).length > 0;
          const isMeant = ({ subject_id: id }: { readonly subject_id: string }) =>
            !isNarrowed || passes.has(id);
          const all = await t.call("events", {});
          const { events } = await t.call("events", filter);
          expect(events).toEqual(all.events.filter(isMeant));
          const whole = await t.call("changes", { limit: 500 });
          const { changes } = await t.call("changes", { limit: 500, ...filter });
          expect(changes).toEqual(
            whole.changes.filter((one) => !isNarrowed || one.events.some(isMeant)),
          );
          const section = await t.call("snapshot", { scopes: ["events"], ...filter });
          expect(idsOfEvents(section.events?.events)).toEqual(events.map(({ seq }) => seq));
        },
      ),
      { numRuns: scaleRuns(5) },
    );
  },
);

const idsOfEvents = (list: unknown) => (list as { seq: number }[]).map(({ seq }) => seq);

it("filters suggestions and snapshots equally", LONG, async () => {
  const both = fc.tuple(filters, ofItemsAlone).map(([a, b]) => ({ ...a, ...b }));
  await fc.assert(
    fc.asyncProperty(fc.array(told, { minLength: 1, maxLength: 8 }), both, async (list, filter) => {
      await using t = createTestMemory();
      await writeAll(t, list);
      await expectSuggested(t, filter);
      await expectSections(t, filter);
    }),
    { numRuns: scaleRuns(5) },
  );
});

async function expectSuggested(t: TestMemory, filter: object): Promise<void> {
  const of = async (kinds: string, input: object) => {
    const { suggestions } = await t.call("suggest", { kinds, limit: 200, ...input });
    return suggestions.map(({ value }) => value);
  };
  for (const kind of ["episode", "fact", "concept"]) {
    const { items } = await t.call("items", { kinds: kind, limit: 500, ...filter });
    const shownIds = new Set(idsOf(items));
    expect(await of(kind, filter)).toEqual((await of(kind, {})).filter((id) => shownIds.has(id)));
  }
  if (Object.keys(filter).length === 0) return;
  for (const [kind, facet, kinds] of [
    ["entity", "entity", "episode"],
    ["author", "by", "episode"],
    ["session", "session", "episode"],
    ["type", "type", "episode"],
    ["label", "label", "episode,concept"],
    ["topic", "topic", "episode,concept"],
  ] as const) {
    if (facet in filter) continue;
    const response = { kinds, facets: [facet], facet_limit: 100, ...filter };
    const { facets = {} } = await t.call("items", response);
    const used = new Set(facets[facet]?.map(({ value }) => value));
    const all = await of(kind, {});
    expect([kind, (await of(kind, filter)).sort()]).toEqual([
      kind,
      all.filter((value) => used.has(value)).sort(),
    ]);
  }
}

interface Section {
  readonly episodes?: readonly { readonly id: string }[];
  readonly concepts?: readonly { readonly id: string }[];
}

async function expectSections(t: TestMemory, filter: object): Promise<void> {
  const scopes = ["recent:500", "pending", "label:area=build", "topic:deploys", "bootstrap:500"];
  const { items } = await t.call("items", { kinds: "episode,concept", limit: 500, ...filter });
  const shownIds = new Set(idsOf(items));
  const isShown = (id: string) => shownIds.has(id);
  const whole = await t.call("snapshot", { scopes });
  const narrowed = await t.call("snapshot", { scopes, ...filter });
  for (const scope of scopes) {
    const [all, some] = [whole[scope] as Section, narrowed[scope] as Section];
    expect([scope, idsOf(some.episodes)]).toEqual([scope, idsOf(all.episodes).filter(isShown)]);
    expect([scope, idsOf(some.concepts)]).toEqual([scope, idsOf(all.concepts).filter(isShown)]);
  }
}
