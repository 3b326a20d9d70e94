import fc from "fast-check";
import { expect, it } from "vitest";
import type { AccessScope } from "../../../src/shared/caller.ts";
import { defined } from "../../support/defined.ts";
import { runs } from "../../support/runs.ts";
import { type TestMemory, testMemory } from "../../support/test-memory.ts";

const DAY_MS = 86_400_000;
const CHAT = { rule: "old-chat", labels: ["area=chat"], older_than: "180d" };
const DELETES = { ...CHAT, action: "delete" } as const;
const PURGES = { ...CHAT, action: "purge" } as const;
/** As the program calls it. */
const BY_RULE = { author: "rule:old-chat" };

const say = (t: TestMemory, content: string, further: object = {}) =>
  t.call("remember", { content, labels: ["area=chat"], ...further });

async function activeIds(t: TestMemory): Promise<string[]> {
  const { items } = await t.call("items", { kinds: ["episode", "concept"], limit: 100 });
  return items.map(({ id }) => id).sort();
}

it("deletes what is old in one change of the rule, which undo takes back", async () => {
  await using t = testMemory();
  await say(t, "Lunch at twelve");
  await say(t, "Lunch at one");
  await t.call("remember", { content: "No chat, and as old" });
  await say(t, "Told now of long ago", { occurred_at: "2024-01-01" });
  t.clock.advance(170 * DAY_MS);
  await say(t, "Lunch is over");
  const young = await t.memory.execute("retain", DELETES, BY_RULE);
  expect(young).toMatchObject({ taken: 1, first: ["ep:4"], left: 0 });
  t.clock.advance(11 * DAY_MS);
  const before = (await t.call("changes")).count;
  const shown = await t.memory.execute("retain", { ...DELETES, dry_run: true }, BY_RULE);
  expect(shown).toMatchObject({ taken: 2, first: ["ep:1", "ep:2"] });
  expect((await t.call("changes")).count).toBe(before);
  const done = await t.memory.execute("retain", DELETES, BY_RULE);
  expect(done).toMatchObject({ taken: 2, first: ["ep:1", "ep:2"], left: 0, held: 0 });
  expect(await activeIds(t)).toEqual(["ep:3", "ep:5"]);
  const { changes, count } = await t.call("changes");
  expect(count).toBe(before + 1);
  expect(changes.slice(0, 1)).toMatchObject([
    { id: done.id, operation: "retain", author: "rule:old-chat" },
  ]);
  const { events } = await t.call("events", { limit: 100 });
  expect(events.filter(({ change_id: change }) => change === done.id)).toMatchObject([
    { kind: "deleted", subject_id: "ep:1" },
    { kind: "deleted", subject_id: "ep:2" },
  ]);
  expect(await t.memory.execute("retain", DELETES, BY_RULE)).not.toHaveProperty("id");
  expect((await t.call("changes")).count).toBe(before + 1);
  await t.call("undo", { change: defined(done.id) });
  expect(await activeIds(t)).toEqual(["ep:1", "ep:2", "ep:3", "ep:5"]);
});

it("purges what another rule has deleted, and only then writes the file anew", async () => {
  const statements: string[] = [];
  await using t = testMemory({ onStatement: (statement) => statements.push(statement) });
  await say(t, "Old Zanzibarina");
  t.clock.advance(181 * DAY_MS);
  await t.call("retain", DELETES);
  expect(statements.filter((one) => /insert into "?meta"?/i.test(one))).toEqual([]);
  t.clock.advance(DAY_MS);
  const older = { ...PURGES, older_than: "183d" };
  expect(await t.call("retain", older)).toMatchObject({ taken: 0 });
  t.clock.advance(2 * DAY_MS);
  expect(await t.call("retain", older)).toMatchObject({ taken: 1, first: ["ep:1"] });
  expect(await (await t.memory.database()).findBytes("Zanzibarina")).toEqual([]);
  expect(await t.call("retain", older)).toMatchObject({ taken: 0 });
  const { code } = await t.failure("restore", { id: "ep:1" });
  expect(code).toBe("conflict");
});

it.each(["delete", "purge"] as const)("a legal hold stays and is told: %s", async (action) => {
  await using t = testMemory();
  await say(t, "The contract of May", { session: "s1" });
  await say(t, "Lunch at twelve");
  await t.call("create_concept", { title: "Contracts", from: ["ep:1"], labels: ["area=chat"] });
  await t.call("label", { id: "ep:1", key: "hold", value: "case-7" });
  const { concepts } = await t.call("list_concepts");
  const contracts = defined(concepts[0]).id;
  await t.call("label", { id: contracts, key: "hold", value: "case-8" });
  t.clock.advance(181 * DAY_MS);
  expect(await t.call("retain", { ...CHAT, action })).toMatchObject({
    taken: 1,
    first: ["ep:2"],
    held: 2,
    first_held: [
      { id: "ep:1", hold: "case-7" },
      { id: contracts, hold: "case-8" },
    ],
  });
  expect(await activeIds(t)).toEqual([contracts, "ep:1"].sort());
});

it("takes a cluster once its facts have gone, and a concept once nobody works on it", async () => {
  await using t = testMemory();
  const told = { episode_type: "fact", entities: ["tool:gateway"] };
  await say(t, "The timeout is 10 s", told);
  await t.call("create_concept", { title: "Gateways", summary: "A first word", from: ["ep:1"] });
  const { concepts } = await t.call("list_concepts");
  const ofType = (type: string) => defined(concepts.find((one) => one.type === type)).id;
  const [cluster] = [ofType("fact_cluster")];
  const gateways = defined(concepts.find(({ title }) => title === "Gateways")).id;
  t.clock.advance(181 * DAY_MS);
  await t.call("update_concept", { concept_id: gateways, summary: "Another word" });
  const concept = {
    rule: "old",
    kinds: "concept",
    older_than: "180d",
    action: "delete",
  } as const;
  expect(await t.call("retain", concept)).toMatchObject({ taken: 0, in_use: 1 });
  expect(await t.call("retain", { ...concept, kinds: "" })).toMatchObject({
    taken: 1,
    first: ["ep:1"],
  });
  t.clock.advance(181 * DAY_MS);
  const { first } = await t.call("retain", concept);
  expect([...first].sort()).toEqual([cluster, gateways].sort());
});

it("takes sources with what was said, but not one of which something is held", async () => {
  await using t = testMemory();
  for (const key of ["s1", "s2"]) {
    await t.call("read_source", {
      kind: "claude-code",
      key,
      title: key,
      passages: [
        { key: "1", role: "turn", by: "Ada", occurred_at: "2026-01-01", text: `Said in ${key}` },
      ],
    } as never);
  }
  await say(t, "The contract of May", { session: "s2" });
  await t.call("label", { id: "ep:1", key: "hold", value: "case-7" });
  t.clock.advance(181 * DAY_MS);
  const sources = {
    rule: "talk",
    kinds: "source",
    older_than: "180d",
    action: "delete",
  } as const;
  expect(await t.call("retain", sources)).toMatchObject({
    taken: 1,
    first: ["source:1"],
    first_held: [{ id: "source:2", hold: "case-7" }],
  });
  const { sources: left } = await t.call("list_sources");
  expect(left.map(({ id }) => id)).toEqual(["source:2"]);
});

it("is followed once a day, by whichever server, and not again because somebody undid it", async () => {
  await using a = testMemory();
  await say(a, "Lunch at twelve");
  a.clock.advance(181 * DAY_MS);
  await using b = testMemory({ folder: a.folder, clock: a.clock });
  const daily = { ...DELETES, daily: true };
  const both = await Promise.all([a, b].map((t) => t.call("retain", daily)));
  expect(both.map(({ skipped }) => skipped).sort()).toEqual([false, true]);
  expect(both.map(({ taken }) => taken).sort()).toEqual([0, 1]);
  await a.call("undo", {});
  a.clock.advance(DAY_MS - 1);
  expect(await b.call("retain", daily)).toMatchObject({ skipped: true, taken: 0 });
  expect(await b.call("retain", { ...daily, rule: "other" })).toMatchObject({ taken: 1 });
  await b.call("undo", {});
  a.clock.advance(1);
  expect(await a.call("retain", daily)).toMatchObject({ skipped: false, taken: 1 });
});

it("takes a thousand at once and says how many are left", { tags: ["long"] }, async () => {
  await using t = testMemory();
  for (const part of [600, 600]) {
    await t.apply(
      ...Array.from({ length: part }, (_, n) => `remember "Line ${part} ${n}" labels=area=chat`),
    );
  }
  t.clock.advance(181 * DAY_MS);
  const daily = { ...DELETES, daily: true };
  expect(await t.call("retain", daily)).toMatchObject({ taken: 1000, left: 200 });
  expect(await t.call("retain", daily)).toMatchObject({ taken: 200, left: 0 });
  expect(await t.call("retain", daily)).toMatchObject({ skipped: true });
});

it("is for admins, and a filter that names nothing is refused", async () => {
  await using t = testMemory();
  await say(t, "Lunch at twelve");
  t.clock.advance(181 * DAY_MS);
  const as = (scope: AccessScope) =>
    t.memory.executeNamed("retain", DELETES, { caller: { name: scope, scope } });
  for (const scope of ["read", "propose", "write", "decide"] as const) {
    await expect(as(scope)).rejects.toMatchObject({ code: "forbidden" });
  }
  expect(await t.failure("retain", { ...DELETES, labels: "," })).toMatchObject({
    code: "invalid_input",
    message: expect.stringContaining("labels: must not be empty"),
  });
  expect(await activeIds(t)).toEqual(["ep:1"]);
  await expect(as("admin")).resolves.toMatchObject({ taken: 1 });
});

it("touches nothing that its rule does not match, and nothing that is held", async () => {
  const item = fc.record({
    days: fc.integer({ min: 0, max: 400 }),
    type: fc.constantFrom("observation", "decision", "preference"),
    by: fc.constantFrom("Ada", "Bruno"),
    labels: fc.subarray(["area=chat", "area=pay", "hold=case-7"]),
  });
  const rule = fc.record({
    type: fc.subarray(["observation", "decision", "preference"], { minLength: 1 }),
    by: fc.option(fc.constantFrom("Ada", "Bruno"), { nil: undefined }),
    labels: fc.option(fc.constantFrom("area=chat", "area=pay"), { nil: undefined }),
    not_labels: fc.option(fc.constant("area=pay"), { nil: undefined }),
    days: fc.integer({ min: 1, max: 400 }),
    action: fc.constantFrom("delete" as const, "purge" as const),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(item, { minLength: 1, maxLength: 12 }),
      rule,
      async (items, asked) => {
        await using t = testMemory();
        const now = t.clock.now().getTime();
        for (const [n, { days, type, by, labels }] of items.entries()) {
          const occurred_at = new Date(now - days * DAY_MS).toISOString();
          const told = { content: `Number ${n}`, episode_type: type, asserted_by: by };
          await t.call("remember", { ...told, labels, occurred_at });
        }
        const { days: age, ...filters } = asked;
        const given = Object.fromEntries(
          Object.entries(filters).filter(([, value]) => value !== undefined),
        ) as typeof filters;
        const matches = items.map(
          ({ days, type, by, labels }) =>
            days >= age &&
            asked.type.includes(type) &&
            (asked.by === undefined || asked.by === by) &&
            (asked.labels === undefined || labels.includes(asked.labels)) &&
            (asked.not_labels === undefined || !labels.includes(asked.not_labels)),
        );
        const isHeld = (n: number) => defined(items[n]).labels.includes("hold=case-7");
        const numbers = items.map((_, n) => n);
        const goes = (n: number) => matches[n] === true && !isHeld(n);
        const contents = async () =>
          (await t.call("list_episodes", { limit: 100 })).episodes.map(({ content }) => content);
        const before = await contents();
        const done = await t.call("retain", {
          ...given,
          rule: "any",
          older_than: `${age}d`,
        } as never);
        expect(done.taken).toBe(numbers.filter(goes).length);
        expect(done.held).toBe(numbers.filter((n) => matches[n] === true && isHeld(n)).length);
        const gone = new Set(numbers.filter(goes).map((n) => `Number ${n}`));
        expect(await contents()).toEqual(before.filter((content) => !gone.has(content)));
      },
    ),
    { numRuns: runs(15) },
  );
});
