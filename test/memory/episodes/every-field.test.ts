import { getTableColumns } from "drizzle-orm";
import { expect, it } from "vitest";
import { createItem } from "../../../src/ingest/repository/memory-view.ts";
import { contentKey } from "../../../src/ingest/repository/merge-item.ts";
import { episodeRecord } from "../../../src/memory/episodes/episode.schema.ts";
import { episodes } from "../../../src/memory/episodes/episode.table.ts";
import type { InputOf, OutputOf } from "../../../src/memory/index.ts";
import { claimFields } from "../../../src/memory/proposals/proposal.queries.ts";
import { OWNER } from "../../../src/shared/caller.ts";
import { createTestMemory, type TestMemory } from "../../support/test-memory.ts";

const AS_OWNER = { caller: OWNER } as const;

type Episode = OutputOf<"get_episode">;

/** A value, and the field of the record that shows it. */
type Shown<Field extends string> = readonly [value: unknown, shownAs: Field, reads?: unknown];

/** A field of `remember` without an entry is a type error. */
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

/** Likewise for fields of `update_episode`. */
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

/** Likewise for fields of `update_concept`. */
const CONCEPT_CHANGED: Readonly<
  Record<
    // Relations are tested with concepts.
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

/** Whether a proposal can contain each field of `remember`. */
const PROPOSED: Readonly<Record<keyof InputOf<"remember">, "said" | "left out">> = {
  content: "said",
  episode_type: "said",
  entities: "said",
  labels: "said",
  metadata: "said",
  source_type: "said",
  asserted_by: "said",
  source_ref: "left out",
  session: "said",
  occurred_at: "said",
  topic: "said",
  collisions: "left out",
  idempotency_key: "left out",
};

/** A second value of each field, and whether `cairn sync` writes it to files. */
const IN_FILES: {
  readonly [Field in keyof Required<Episode>]: readonly [Required<Episode>[Field], boolean];
} = {
  id: ["ep:7", false],
  content: ["Another text", true],
  episode_type: ["outcome", true],
  entities: [["tool:bun"], true],
  labels: [[{ key: "area", value: "run" }], true],
  metadata: [{ size: 2 }, false],
  source_type: ["mail", false],
  asserted_by: ["Bo", true],
  source_ref: ["board", true],
  session: ["two", false],
  occurred_at: ["2026-02-05T00:00:00.000Z", true],
  plan_id: ["ep:8", false],
  spec_ids: [["ep:8"], false],
  depends_on: [["ep:8"], false],
  priority: ["p2", false],
  topic_id: ["builds", false],
  processed: [true, false],
  fact_id: ["fact:8", false],
  valid_to: ["2026-02-05T00:00:00.000Z", false],
  replaced_by: ["ep:9", false],
  created_at: ["2026-02-05T00:00:00.000Z", false],
  updated_at: ["2026-02-05T00:00:00.000Z", false],
  deleted_at: ["2026-02-05T00:00:00.000Z", false],
};

async function withOne(): Promise<TestMemory> {
  const t = createTestMemory();
  await t.apply("topic name=deploys", 'remember "The plan."');
  const inputs = Object.entries(REMEMBERED).map(([field, [value]]) => [field, value]);
  await t.memory.executeNamed("remember", Object.fromEntries(inputs), AS_OWNER);
  return t;
}

it("has a field in the record for every column of the table", () => {
  const columns = Object.values(getTableColumns(episodes)).map(({ name }) => name);
  const missing = columns.filter((name) => !Object.hasOwn(episodeRecord.shape, name));
  expect(missing, "src/memory/episodes/episode.schema.ts").toEqual([]);
});

it("includes the decided fields in a proposal", () => {
  const replies = Object.entries(PROPOSED).flatMap(([field, fate]) =>
    fate === "said" ? field : [],
  );
  const known = Object.keys(claimFields).filter((field) => Object.hasOwn(PROPOSED, field));
  expect(known.sort(), "src/memory/proposals/claim.ts").toEqual(replies.sort());
});

it("includes the decided fields in repository files", async () => {
  await using t = await withOne();
  const record = await t.call("get_episode", { episode_id: "ep:2" });
  const before = contentKey(createItem(record, "0123456789"));
  for (const [field, [value, isSaid]] of Object.entries(IN_FILES)) {
    const after = contentKey(createItem({ ...record, [field]: value }, "0123456789"));
    expect(after !== before, `src/ingest/repository/memory-view.ts, ${field}`).toBe(isSaid);
  }
});

it("stores and shows every field of remember", async () => {
  await using t = await withOne();
  const record = await t.call("get_episode", { episode_id: "ep:2" });
  for (const [field, [value, shownAs, reads = value]] of Object.entries(REMEMBERED)) {
    expect(record[shownAs], `src/memory/episodes/remember-episode.ts, ${field}`).toEqual(reads);
  }
});

it("stores and shows every field of update_episode", async () => {
  await using t = await withOne();
  for (const [field, [value, shownAs, reads = value]] of Object.entries(CHANGED)) {
    await t.memory.executeNamed("update_episode", { episode_id: "ep:2", [field]: value }, AS_OWNER);
    const record = await t.call("get_episode", { episode_id: "ep:2" });
    expect(record[shownAs], `src/memory/episodes/update-episode-fields.ts, ${field}`).toEqual(
      reads,
    );
  }
});

it("stores and shows every field of update_concept", async () => {
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
