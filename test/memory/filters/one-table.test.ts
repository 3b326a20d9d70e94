import { expect, it } from "vitest";
import {
  FILTER_NAMES,
  FILTERS,
  type FilterName,
} from "../../../src/memory/filters/filter-table.ts";
import { createTestMemory } from "../../support/test-memory.ts";

const VALUES: Readonly<Record<FilterName, readonly [unknown, unknown]>> = {
  since: ["2026-02-11", "2026-12-01"],
  until: ["2026-02-11", "2020"],
  by: [["Ada", "Cy"], "Nobody"],
  type: ["decision,observation", undefined],
  entity: ["tool:node", "tool:unheard-of"],
  labels: ["area=build", "area=unheard"],
  not_labels: ["area=build", "area=build,area=cache,area=none"],
  topic: ["deploys", "empty"],
  session: ["one,two", "three"],
  pending: [false, undefined],
  has: ["source", "conflict"],
  text: ["timeout", "unheard"],
  as_of: ["2026-02-11", "2020"],
  known_at: ["2026-02-11", "2020"],
};

async function createShop() {
  const t = createTestMemory();
  await t.apply(
    "topic name=deploys",
    "topic name=empty",
    'remember as=a t=decision by=Ada e=tool:node labels=area=build session=one topic=deploys occurred_at=2026-01-05 "The timeout of the build is Node\'s"',
    'remember t=fact by=Ada e=tool:cache labels=area=none occurred_at=2026-02-10 "The timeout is 10 seconds"',
    'remember t=fact by=Bo e=tool:cache labels=area=cache occurred_at=2026-02-12 source_ref=wiki "The other timeout is 30 seconds"',
    'remember by=Bo e=tool:cache,tool:node labels=area=cache session=one occurred_at=2026-03-01 "A timeout hurts customers"',
    'remember by=Cy labels=area=none session=two occurred_at=2026-03-02 "A timeout is a choice"',
    'concept title="Timeouts" from=$a labels=area=build type=rule topic=deploys "A timeout is told to all"',
    "processed ids=$a",
  );
  return t;
}

const ids = (records: readonly { id: string }[]) => records.map(({ id }) => id).sort();

it.each(FILTER_NAMES.filter((name) => FILTERS[name].inRecall === "shared"))(
  "lets the same episodes pass a recall and a list: %s",
  async (name) => {
    await using t = await createShop();
    const [some, none] = VALUES[name];
    const listed = await t.call("items", { kinds: "episode", [name]: some });
    const response = { query: "timeout", episode_k: 50, k: 50 };
    const found = await t.call("recall", { ...response, [name]: some });
    expect(ids(found.episodes)).toEqual(ids(listed.items));
    expect(listed.items.length).toBeGreaterThan(0);
    expect(listed.items.length).toBeLessThan(5);
    if (none === undefined) return;
    expect(await t.call("recall", { ...response, [name]: none })).toMatchObject({
      episodes: [],
      concepts: [],
    });
  },
);

it.each([
  [{ not_labels: "area=none" }, ["fact:2"]],
  [{ since: "2026-02-11" }, ["fact:2"]],
  [{ until: "2026-02-11" }, ["fact:1"]],
  [{ by: "Ada" }, ["fact:1"]],
])("shows of a fact cluster only the facts that pass: %j", async (filter, expected) => {
  await using t = await createShop();
  const { concepts } = await t.call("recall", { query: "timeout seconds", k: 50, ...filter });
  const cluster = concepts.find(({ type }: { type: string }) => type === "fact_cluster");
  expect(ids(cluster?.facts ?? [])).toEqual(expected);
});

it("combines all filters with AND", async () => {
  await using t = await createShop();
  const filter = {
    since: "2026",
    until: "2026-06",
    by: "Ada,Bo",
    type: "decision",
    entity: "tool:node",
    labels: "area=build",
    not_labels: "area=none",
    topic: "deploys",
    session: "one",
    pending: false,
  };
  const { episodes } = await t.call("recall", { query: "timeout", ...filter });
  expect(ids(episodes)).toEqual(["ep:1"]);
  expect(await t.call("why_not", { id: "ep:5", query: "timeout", ...filter })).toMatchObject({
    returned: false,
    reasons: [expect.stringContaining("outside the search scope")],
  });
});

it.each([
  [{ since: "soonish" }, "since: must be a date such as"],
  [{ since: "today", until: "yesterday" }, "is after until"],
  [{ type: "decison" }, 'Did you mean "decision"?'],
  [{ has: "conflcts" }, 'Did you mean "conflict"?'],
])("says of a recall with %j what to give instead", async (filter, message) => {
  await using t = await createShop();
  await expect(t.call("recall", { query: "timeout", ...filter })).rejects.toThrow(message);
});
