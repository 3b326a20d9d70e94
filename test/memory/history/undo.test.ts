import fc from "fast-check";
import { expect, it } from "vitest";
import { diagnose, exportDatabase } from "../../../src/memory/index.ts";
import { itemAt } from "../../support/defined.ts";
import { scaleRuns } from "../../support/scale-runs.ts";
import { createTestMemory, type TestMemory } from "../../support/test-memory.ts";

const FEED = /^\{(?:"end"|"table":"(?:events|event_items|changes|row_changes)")/;

/** All stored data except the change feed and its row log. */
async function stateOf({ memory }: TestMemory): Promise<string> {
  let text = "";
  await exportDatabase(memory, async (chunk) => {
    text += chunk;
  });
  return text
    .split("\n")
    .filter((line) => !FEED.test(line))
    .join("\n");
}

async function requireSound(test: TestMemory): Promise<void> {
  expect((await diagnose(test.memory)).findings).toEqual([]);
}

it("undoes and redoes an edit", async () => {
  await using test = createTestMemory();
  await test.call("remember", { content: "Old", labels: "a=1" });
  const before = await stateOf(test);
  test.clock.advance(1000);
  await test.call("update_episode", { episode_id: "ep:1", content: "New", labels: "b=2" });
  const after = await stateOf(test);
  test.clock.advance(1000);
  const undone = await test.call("undo");
  expect(undone).toMatchObject({ id: "change:3", undo_of: ["change:2"] });
  expect(await stateOf(test)).toBe(before);
  expect((await test.call("recall", { query: "Old" })).episodes).toHaveLength(1);
  expect((await test.call("recall", { query: "New" })).episodes).toHaveLength(0);
  await test.call("redo");
  expect(await stateOf(test)).toBe(after);
  await requireSound(test);
  const { changes } = await test.call("changes");
  expect(changes.map(({ undo_of, undone_by }) => [undo_of, undone_by])).toEqual([
    [["change:3"], null],
    [["change:2"], "change:4"],
    [[], null],
    [[], null],
  ]);
});

it("emits events for its effect, with undo_of", async () => {
  await using test = createTestMemory();
  await test.call("remember", { content: "One" });
  await test.call("label", { id: "ep:1", key: "a", value: "b" });
  await test.call("undo", { since: "change:0" });
  const { events } = await test.call("events", { since_seq: 2 });
  expect(events).toMatchObject([
    {
      kind: "deleted",
      subject_id: "ep:1",
      change_id: "change:3",
      payload: { undo_of: ["change:2", "change:1"] },
    },
  ]);
  expect(await test.failure("get_episode", { episode_id: "ep:1" })).toMatchObject({
    code: "not_found",
  });
  expect((await test.call("history", { id: "ep:1" })).count).toBe(3);
  await requireSound(test);
});

it("never reuses an undone id", async () => {
  await using test = createTestMemory();
  await test.call("remember", { content: "One", episode_type: "fact" });
  await test.call("undo");
  expect(await test.call("remember", { content: "Two", episode_type: "fact" })).toMatchObject({
    id: "ep:2",
    fact_id: "fact:2",
  });
});

it("reopens a conflict that was resolved wrongly", async () => {
  await using test = createTestMemory();
  await test.apply(
    'remember as=a t=fact e=person:Ada "Ada is in Rome"',
    'remember as=b t=fact e=person:Ada "Ada is in Oslo"',
    "conflict fact_a=$a fact_b=$b",
  );
  const before = await stateOf(test);
  await test.call("resolve_conflict", { conflict_id: "conflict:1", winning_fact_id: "fact:1" });
  const dry = await test.call("undo", { dry_run: true });
  expect(dry).toMatchObject({ id: null, dry_run: true, undo_of: ["change:2"] });
  expect(dry.changeset).toContain("# conflict:1: conflict opened again");
  await test.call("undo");
  expect(await stateOf(test)).toBe(before);
  expect((await test.call("list_conflicts")).conflicts).toHaveLength(1);
  await requireSound(test);
});

it("rejects an undo with dependent changes, names them, and undoes them together", async () => {
  await using test = createTestMemory();
  await test.call("remember", { content: "One" });
  const empty = await test.call("undo", { dry_run: true });
  expect(empty.changeset).toBe("delete id=ep:1");
  await test.call("create_concept", { title: "About one", from: "ep:1" });
  await test.call("update_episode", { episode_id: "ep:1", priority: "p1" });
  const refused = await test.failure("undo", { change: "change:1" });
  expect(refused).toMatchObject({
    code: "conflict",
    details: { standing: ["change:2", "change:3"] },
  });
  expect(refused.message).toMatch(/change:2, change:3.*together/);
  expect((await test.call("changes")).count).toBe(3);
  const both = await test.call("undo", { change: "change:1", together: true });
  expect(both.undo_of).toEqual(["change:3", "change:2", "change:1"]);
  await requireSound(test);
});

it("undoes one field while another one was edited later", async () => {
  await using test = createTestMemory();
  await test.call("remember", { content: "One" });
  await test.call("update_episode", { episode_id: "ep:1", content: "Two" });
  await test.call("label", { id: "ep:1", key: "a", value: "b" });
  await test.call("undo", { change: "change:2" });
  expect(await test.call("get_episode", { episode_id: "ep:1" })).toMatchObject({
    content: "One",
    labels: [{ key: "a", value: "b" }],
  });
});

it("retains an entity and a cluster that later items use", async () => {
  await using test = createTestMemory();
  const fact = { episode_type: "fact", entities: "person:Ada" };
  await test.call("remember", { content: "Ada is in Rome", ...fact });
  await test.call("remember", { content: "Ada is in Oslo", ...fact });
  await test.call("undo", { change: "change:1" });
  expect((await test.call("entities")).entities).toMatchObject([
    { id: "person:Ada", mention_count: 1 },
  ]);
  const { concepts } = await test.call("list_concepts");
  expect(concepts).toMatchObject([{ instance_count: 1 }]);
  await requireSound(test);
});

it("rejects undone and unknown changes and an empty selection", async () => {
  await using test = createTestMemory();
  expect((await test.failure("undo")).message).toMatch(/Nothing to undo/);
  await test.call("remember", { content: "One" });
  await test.call("undo", { change: "1" });
  expect(await test.failure("undo", { change: "change:1" })).toMatchObject({ code: "conflict" });
  expect((await test.failure("undo", { change: "change:1" })).message).toMatch(/redo change:2/);
  expect(await test.failure("undo", { change: "change:9" })).toMatchObject({ code: "not_found" });
  expect(await test.failure("undo", { change: "ep:1" })).toMatchObject({ code: "invalid_input" });
  expect((await test.failure("redo", { change: "change:1" })).message).toMatch(
    /undone by change:2/,
  );
});

it("rejects a change whose items are partly purged, without changes", async () => {
  await using test = createTestMemory();
  await test.apply('remember "One"', 'remember "Two"');
  await test.call("delete", { id: "ep:2" });
  const gone = await test.failure("undo", { change: "change:1" });
  expect(gone).toMatchObject({ code: "conflict", details: { standing: ["change:2"] } });
  await test.call("purge", { ids: "ep:2" });
  const before = await stateOf(test);
  const purged = await test.failure("undo", { change: "change:1", together: true });
  expect(purged).toMatchObject({ code: "conflict" });
  expect(purged.message).toMatch(/purged later/);
  expect(await stateOf(test)).toBe(before);
  expect((await test.call("list_episodes")).episodes).toMatchObject([{ content: "One" }]);
});

it("stops at the change given as until", async () => {
  await using test = createTestMemory();
  for (const content of ["One", "Two", "Three"]) await test.call("remember", { content });
  const undone = await test.call("undo", { since: "change:1", until: "change:2" });
  expect(undone.undo_of).toEqual(["change:2"]);
  expect(await test.failure("undo", { until: "change:2" })).toMatchObject({
    code: "invalid_input",
  });
});

it("undoes only one session's changes since a change", async () => {
  await using test = createTestMemory();
  const as = (session: string) => ({ session, surface: "agent" }) as const;
  await test.memory.execute("remember", { content: "Mine, old" }, as("a"));
  await test.memory.execute("remember", { content: "Mine, new" }, as("a"));
  await test.memory.execute("remember", { content: "Yours" }, as("b"));
  await test.call("undo", { since: "change:1", session: "a" });
  const { episodes } = await test.call("list_episodes");
  expect(episodes.map(({ content }: { content: string }) => content)).toEqual([
    "Yours",
    "Mine, old",
  ]);
});

it("undoes merges, splits and everything else", async () => {
  await using test = createTestMemory();
  await test.apply(
    'remember "One"',
    'remember "Two"',
    'remember t=fact e=person:Ada "F"',
    'remember t=fact e=person:Ada "G"',
  );
  await test.apply(
    "concept as=a title=A from=ep:1",
    "concept as=b title=B from=ep:2",
    "link from=$a to=$b type=relates",
    "evidence concept=$a episode=ep:2 type=supporting",
    "label id=$a key=x value=y",
  );
  const concepts = (await test.call("list_concepts")).concepts.filter(
    ({ type }) => type !== "fact_cluster",
  );
  const a = itemAt(concepts, 1);
  const b = itemAt(concepts, 0);
  const steps = [
    `merge from=${a.id} into=${b.id} "same"`,
    `split id=${b.id} into="C, D"`,
    `reshape id=${b.id} type=principle`,
    "supersede old=fact:1 new=fact:2",
    "processed ids=ep:1,ep:2",
    'topic name=T "d"',
    "set_topic id=ep:1 topic=t",
    "entity_relation source=person:Ada target=tool:hammer relation=owns",
    "delete id=ep:1",
    "restore id=ep:1",
    'update id=ep:2 content="Two b" entities=person:Bob depends_on=ep:1',
  ];
  const states: string[] = [];
  for (const step of steps) {
    states.push(await stateOf(test));
    test.clock.advance(1000);
    await test.apply(step);
  }
  const last = await stateOf(test);
  for (const state of states.reverse()) {
    await test.call("undo");
    expect(await stateOf(test)).toBe(state);
    await requireSound(test);
  }
  for (const _ of states) await test.call("redo", { change: undefined });
  expect(await stateOf(test)).toBe(last);
});

const op = fc.oneof(
  fc.record({
    op: fc.constant("remember"),
    t: fc.constantFrom("fact", "observation"),
    e: fc.subarray(["person:A", "person:B", "tool:C"]),
    content: fc.constantFrom("x", "y", "z z"),
  }),
  fc.record({
    op: fc.constant("update"),
    id: fc.constantFrom("ep:1", "ep:2", "ep:3"),
    content: fc.constantFrom("u", "v"),
    labels: fc.constantFrom("", "a=1", "a=1,b=2"),
  }),
  fc.record({
    op: fc.constantFrom("delete", "restore"),
    id: fc.constantFrom("ep:1", "ep:2", "ep:3", "c1", "c2", "c3"),
  }),
  fc.record({
    op: fc.constant("supersede"),
    old: fc.constantFrom("fact:1", "fact:2"),
    new: fc.constantFrom("fact:2", "fact:3"),
  }),
  fc.record({
    op: fc.constant("conflict"),
    fact_a: fc.constantFrom("fact:1", "fact:2"),
    fact_b: fc.constantFrom("fact:2", "fact:3"),
  }),
  fc.record({
    op: fc.constant("resolve"),
    id: fc.constantFrom("conflict:1", "conflict:2"),
    winner: fc.constantFrom("fact:1", "fact:2", "fact:3"),
  }),
  fc.record({ op: fc.constant("dismiss"), id: fc.constantFrom("conflict:1", "conflict:2") }),
  fc.record({
    op: fc.constant("concept"),
    title: fc.constantFrom("K", "L"),
    from: fc.subarray(["ep:1", "ep:2"], { minLength: 1 }),
  }),
  fc.record({
    op: fc.constant("merge"),
    from: fc.subarray(["c1", "c2", "c3", "c4"], { minLength: 1 }),
    into: fc.constantFrom("c1", "c2", "New"),
  }),
  fc.record({
    op: fc.constant("split"),
    id: fc.constantFrom("c1", "c2", "c3"),
    into: fc.constant(["P", "Q"]),
  }),
  fc.record({
    op: fc.constantFrom("label", "unlabel"),
    id: fc.constantFrom("ep:1", "c1"),
    key: fc.constant("k"),
    value: fc.constant("v"),
  }),
  fc.record({
    op: fc.constant("link"),
    from: fc.constantFrom("c1", "c2"),
    to: fc.constantFrom("c2", "c3"),
    type: fc.constant("supports"),
  }),
  fc.record({
    op: fc.constant("processed"),
    ids: fc.subarray(["ep:1", "ep:2", "ep:3"], { minLength: 1 }),
  }),
  fc.record({
    op: fc.constant("entity_relation"),
    source: fc.constantFrom("person:A", "person:D"),
    target: fc.constant("tool:C"),
    relation: fc.constant("uses"),
  }),
);

it("gives the state before when all of any random sequence is undone, newest first", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(op, { minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 14 }),
      async (changesets) => {
        await using test = createTestMemory();
        await test.apply(
          'remember t=fact e=person:A "seed"',
          'remember t=fact e=person:A "seed two"',
          "concept title=S from=ep:1",
        );
        const states: string[] = [];
        for (const ops of changesets) {
          const before = await stateOf(test);
          test.clock.advance(1000);
          try {
            await test.call("apply", { changeset: JSON.stringify(ops) });
            states.push(before);
          } catch (error) {
            expect(error).toMatchObject({ code: "changeset_failed" });
          }
        }
        const last = await stateOf(test);
        const count = states.length;
        for (const state of states.reverse()) {
          await test.call("undo");
          expect(await stateOf(test)).toBe(state);
        }
        await requireSound(test);
        for (let n = 0; n < count; n += 1) await test.call("redo");
        expect(await stateOf(test)).toBe(last);
        await requireSound(test);
        if (count > 0) {
          await test.call("undo", { since: "change:1" });
          expect(await stateOf(test)).toBe(states.at(-1));
        }
      },
    ),
    { numRuns: scaleRuns(10) },
  );
}, 360_000);
