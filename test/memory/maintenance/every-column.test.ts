import { Readable } from "node:stream";
import { expect, it } from "vitest";
import { exportDatabase, importDatabase } from "../../../src/memory/index.ts";
import { copyMemory } from "../../../src/memory/maintenance/copy-memory.ts";
import { EXPORTED_TABLES } from "../../../src/memory/maintenance/exported-tables.ts";
import { readLines } from "../../../src/shared/read-lines.ts";
import { createTestMemory, type TestMemory } from "../../support/test-memory.ts";
import { rowsByTable } from "./rows-by-table.ts";

/** A memory that has a value in every column that can have one. */
async function createFilledMemory(): Promise<TestMemory> {
  const t = createTestMemory({ name: "filled" });
  await t.call("read_source", {
    ...{ kind: "git", key: "shop", title: "The shop", place: "/shop", mark: "2" },
    passages: [
      {
        ...{ key: "one", role: "commit", by: "Ada", text: "Cap the retries" },
        ...{ files: ["a.ts"], branch: "main", occurred_at: "2026-01-02T00:00:00.000Z" },
      },
      {
        ...{ key: "two", role: "commit", by: "Bo", text: "Revert the cap", reverts: "one" },
        ...{ files: [], occurred_at: "2026-01-03T00:00:00.000Z" },
      },
    ],
  });
  await t.call("read_source", {
    ...{ kind: "git", key: "gone" },
    passages: [
      {
        ...{ key: "one", role: "commit", by: "Ada", text: "What nobody wants" },
        ...{ files: [], occurred_at: "2026-01-02T00:00:00.000Z" },
      },
    ],
  });
  await t.call("delete", { id: "source:2" });
  await t.memory.execute("remember", { content: "In a session" }, { session: "one" });
  const note = "Ada said so";
  const proposed = await t.call("propose", { content: "Use Bun", episode_type: "decision" });
  await t.call("accept_proposal", { proposal_id: proposed.id, note, decided_by: "Ada" });
  await t.call("propose", { content: "Use Deno", reason: "nobody said so" });
  const kept = { content: "We ship on Tuesdays", idempotency_key: "once" };
  await t.call("remember", kept);
  const { id: gone } = await t.call("remember", { content: "What must not stay" });
  await t.apply(
    'topic name=Deploys "How we ship"',
    'remember as=plan t=decision by=Ada session=one labels=area=build occurred_at=2026-01-05 topic=deploys source_type=chat source_ref=passage:1 metadata=\'{"size":1}\' "The plan"',
    'remember as=spec e=tool:node,file:a.ts "The spec"',
    'remember as=task "The task"',
    'remember as=gone "What is deleted"',
    "update id=$task plan_id=$plan spec_ids=$spec,$plan depends_on=$spec priority=p1",
    "processed ids=$spec",
    'remember as=a t=fact e=tool:cache occurred_at=2026-01-06 "The timeout is 5 seconds"',
    'remember as=b t=fact e=tool:cache occurred_at=2026-01-07 "The timeout is 10 seconds"',
    'remember as=c t=fact e=tool:cache occurred_at=2026-01-08 "The timeout is 20 seconds"',
    'remember as=d t=fact e=tool:cache occurred_at=2026-01-09 "The timeout is 30 seconds"',
    'remember as=e t=fact e=tool:cache occurred_at=2026-01-10 "The timeout is 40 seconds"',
    "supersede old=$a new=$b until=2026-01-20",
    'conflict as=x fact_a=$b fact_b=$c severity=high "They differ"',
    'conflict as=y fact_a=$b fact_b=$d severity=low "So do these"',
    'conflict as=z fact_a=$b fact_b=$e "And these"',
    'dismiss id=$y by=Ada "Both hold"',
    'resolve id=$z winner=$b by=Bo until=2026-01-30 "The newer was a slip"',
    'concept as=p title="Ship early" from=$plan,$spec confidence=0.8 tags=a,b type=rule topic=deploys labels=area=run "On Tuesdays"',
    'concept as=q title="Builds" from=$spec "Node it is"',
    'concept title="Once" from=$plan "Said once"',
    'concept title="Twice" from=$plan "Said twice"',
    "link from=$p to=$q type=implies strength=0.7",
    'evidence concept=$p episode=$task type=supporting strength=0.6 "It did"',
    'entity_relation source=file:a.ts target=tool:node relation=needs strength=0.4 "to run"',
  );
  const { concepts: made } = await t.call("list_concepts", { limit: 50 });
  const idOf = (title: string) => made.find((concept) => concept.title === title)?.id ?? "";
  await t.call("merge", {
    from: [idOf("Once"), idOf("Twice")],
    into: "Thrice",
    reason: "The same",
  });
  await t.call("split", { id: idOf("Builds"), into: ["Runs", "Makes"], reason: "Two matters" });
  await t.apply("delete id=ep:3");
  await t.call("undo", {});
  await t.call("purge", { ids: [gone] });
  return t;
}

it("fills every column, so that none is passed over", async () => {
  await using t = await createFilledMemory();
  const rows = await rowsByTable(t.memory);
  const empty = EXPORTED_TABLES.flatMap(({ name, columns }) =>
    columns.flatMap((column) =>
      (rows.get(name) ?? []).some((row) => row[column.name] !== null)
        ? []
        : [`${name}.${column.name}`],
    ),
  );
  expect(empty, "give `filled` of this test a value for each of these columns").toEqual([]);
});

it("carries every column of every table through an export and an import, and through a copy", async () => {
  await using t = await createFilledMemory();
  const before = await rowsByTable(t.memory);
  await using imported = createTestMemory({ name: "imported" });
  const chunks: string[] = [];
  await exportDatabase(t.memory, async (chunk) => void chunks.push(chunk));
  await importDatabase(imported.memory, readLines(Readable.from(chunks)));
  expect(await rowsByTable(imported.memory)).toEqual(before);
  await using copied = createTestMemory({ name: "copied" });
  await copyMemory(t.memory, copied.memory);
  expect(await rowsByTable(copied.memory)).toEqual(before);
});
