import { getTableColumns } from "drizzle-orm";
import { expect, it } from "vitest";
import { mergeMemory } from "../../../src/importers/index.ts";
import { OWNER } from "../../../src/kernel/caller.ts";
import { episodeRecord } from "../../../src/memory/episodes/episode.schema.ts";
import { episodes } from "../../../src/memory/episodes/episode.table.ts";
import type { InputOf, OutputOf } from "../../../src/memory/index.ts";
import { travelling } from "../../../src/memory/promotion/promoted-item.ts";
import { type TestMemory, testMemory } from "../../support/test-memory.ts";

const AS_OWNER = { caller: OWNER } as const;

type Episode = OutputOf<"get_episode">;

/** A value, and the field of the record that shows it. */
type Shown<Field extends string> = readonly [value: unknown, shownAs: Field, reads?: unknown];

/** A field of `remember` without an entry does not compile. */
const REMEMBERED: Readonly<
  Record<Exclude<keyof InputOf<"remember">, "collisions" | "idempotency_key">, Shown<keyof Episode>>
> = {
  content: ["The release needs Node.", "content"],
  episode_type: ["decision", "episode_type"],
  entities: ["tool:node", "entities", ["tool:node"]],
  labels: ["area=build", "labels", [{ key: "area", value: "build" }]],
  metadata: [{ size: 1 }, "metadata"],
  source_type: ["chat", "source_type"],
  asserted_by: ["Ada", "asserted_by"],
  source_ref: ["wiki", "source_ref"],
  session: ["one", "session"],
  occurred_at: ["2026-01-05", "occurred_at", "2026-01-05T00:00:00.000Z"],
  topic: ["deploys", "topic_id"],
};

/** The same of what changes an episode. */
const CHANGED: Readonly<
  Record<Exclude<keyof InputOf<"update_episode">, "episode_id" | "if_match">, Shown<keyof Episode>>
> = {
  content: ["The release needs Node 22.", "content"],
  episode_type: ["outcome", "episode_type"],
  entities: ["tool:git", "entities", ["tool:git"]],
  plan_id: ["ep:1", "plan_id"],
  spec_ids: ["ep:1", "spec_ids", ["ep:1"]],
  depends_on: ["ep:1", "depends_on", ["ep:1"]],
  priority: ["p1", "priority"],
  labels: ["area=run", "labels", [{ key: "area", value: "run" }]],
  occurred_at: ["2026-01-06", "occurred_at", "2026-01-06T00:00:00.000Z"],
};

/** And of what changes a concept. */
const CONCEPT_CHANGED: Readonly<
  Record<
    // Relations are tried where concepts are.
    Exclude<keyof InputOf<"update_concept">, "concept_id" | "if_match" | "relations">,
    Shown<keyof OutputOf<"update_concept">>
  >
> = {
  title: ["Releases", "title"],
  summary: ["They need Node.", "summary"],
  confidence: [0.9, "confidence"],
  tags: ["a,b", "tags", ["a", "b"]],
  labels: ["area=run", "labels", [{ key: "area", value: "run" }]],
};

/** What a merge of two databases does with a field: `kept`, or why the other database has its own. */
const MERGED: Readonly<Record<keyof Episode, string>> = {
  id: "ids are given anew",
  content: "kept",
  episode_type: "kept",
  entities: "kept",
  labels: "kept, with the label of the import",
  metadata: "kept, with the ids of the import",
  source_type: "says that it was merged",
  asserted_by: "kept",
  source_ref: "kept",
  session: "kept",
  occurred_at: "kept",
  plan_id: "links between episodes stay behind",
  spec_ids: "links between episodes stay behind",
  depends_on: "links between episodes stay behind",
  priority: "belongs to the plan that stays behind",
  topic_id: "kept",
  processed: "kept",
  fact_id: "ids are given anew",
  valid_to: "follows from the facts",
  replaced_by: "follows from the facts",
  created_at: "when it was merged",
  updated_at: "when it was merged",
  deleted_at: "deleted ones stay behind",
};

/** What travels with an episode to a farther layer; everything else stays. */
const PROMOTED: Readonly<Record<keyof Episode, "goes" | "stays">> = {
  id: "stays",
  content: "goes",
  episode_type: "goes",
  entities: "goes",
  labels: "goes",
  metadata: "goes",
  source_type: "goes",
  asserted_by: "goes",
  source_ref: "goes",
  session: "stays",
  occurred_at: "goes",
  plan_id: "stays",
  spec_ids: "stays",
  depends_on: "stays",
  priority: "stays",
  topic_id: "stays",
  processed: "stays",
  fact_id: "stays",
  valid_to: "stays",
  replaced_by: "stays",
  created_at: "stays",
  updated_at: "stays",
  deleted_at: "stays",
};

async function withOne(): Promise<TestMemory> {
  const t = testMemory();
  await t.apply("topic name=deploys", 'remember "The plan."');
  const given = Object.entries(REMEMBERED).map(([field, [value]]) => [field, value]);
  await t.memory.executeNamed("remember", Object.fromEntries(given), AS_OWNER);
  return t;
}

it("has a field in the record for every column of the table", () => {
  const columns = Object.values(getTableColumns(episodes)).map(({ name }) => name);
  const missing = columns.filter((name) => !Object.hasOwn(episodeRecord.shape, name));
  expect(missing, "src/memory/episodes/episode.schema.ts").toEqual([]);
});

it("takes along in a promotion what was decided to go", () => {
  const going = Object.entries(PROMOTED).flatMap(([field, fate]) => (fate === "goes" ? field : []));
  const travels = Object.keys(travelling.shape);
  expect(travels.sort(), "src/memory/promotion/promoted-item.ts").toEqual(going.sort());
});

it("stores and shows every field that remember takes", async () => {
  await using t = await withOne();
  const record = await t.call("get_episode", { episode_id: "ep:2" });
  for (const [field, [value, shownAs, reads = value]] of Object.entries(REMEMBERED)) {
    expect(record[shownAs], `src/memory/episodes/remember-episode.ts, ${field}`).toEqual(reads);
  }
});

it("stores and shows every field that update_episode takes", async () => {
  await using t = await withOne();
  for (const [field, [value, shownAs, reads = value]] of Object.entries(CHANGED)) {
    await t.memory.executeNamed("update_episode", { episode_id: "ep:2", [field]: value }, AS_OWNER);
    const record = await t.call("get_episode", { episode_id: "ep:2" });
    expect(record[shownAs], `src/memory/episodes/update-episode-fields.ts, ${field}`).toEqual(
      reads,
    );
  }
});

it("stores and shows every field that update_concept takes", async () => {
  await using t = await withOne();
  const { id } = await t.call("create_concept", { title: "Release", from: "ep:2" });
  for (const [field, [value, shownAs, reads = value]] of Object.entries(CONCEPT_CHANGED)) {
    await t.memory.executeNamed("update_concept", { concept_id: id, [field]: value }, AS_OWNER);
    const record = await t.call("get_concept", { concept_id: id });
    expect(record[shownAs], `src/memory/concepts/update-concept-fields.ts, ${field}`).toEqual(
      reads,
    );
  }
});

it("keeps every field in a merge, or says why not", async () => {
  await using from = await withOne();
  await using into = testMemory();
  await mergeMemory({ from: from.memory, into: into.memory, dryRun: false });
  const before = await from.call("get_episode", { episode_id: "ep:2" });
  const { items } = await into.call("items", { kinds: ["episode"], text: "needs Node" });
  const after = await into.call("get_episode", { episode_id: items[0]?.id ?? "" });
  const kept = Object.entries(MERGED).flatMap(([field, fate]) => (fate === "kept" ? [field] : []));
  const of = (record: Episode) => Object.entries(record).filter(([field]) => kept.includes(field));
  expect(of(after), "src/importers/merge-memory.ts").toEqual(of(before));
  expect(Object.keys(before).filter((field) => !Object.hasOwn(MERGED, field))).toEqual([]);
});
