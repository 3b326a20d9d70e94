import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createTestMemory, type TestMemory } from "../../support/test-memory.ts";

const DAY = 86_400_000;

/** Recorded in January 2026: 10 s since January 2025, and 30 s since March 2025. */
async function timeouts(t: TestMemory): Promise<void> {
  const told = { episode_type: "fact", entities: ["tool:gateway"] };
  await t.call("remember", { ...told, content: "The timeout is 10 s", occurred_at: "2025-01-01" });
  t.clock.advance(10 * DAY);
  await t.call("remember", { ...told, content: "The timeout is 30 s", occurred_at: "2025-03-01" });
  t.clock.advance(10 * DAY);
}

type Times = { as_of?: string; known_at?: string };

/** Returns the recalled facts. For a past time, also checks that a list returns the same. */
async function listRecalled(t: TestMemory, times: Times): Promise<string[]> {
  const { concepts } = await t.call("recall", { query: "timeout", k: 50, ...times });
  const recalled = concepts.flatMap(({ facts = [] }) => facts.map(({ id }) => id)).sort();
  const listed = await t.call("items", { kinds: "episode", text: "timeout", ...times });
  const active = times.as_of === undefined && times.known_at === undefined;
  if (!active)
    expect(listed.items.map(({ id }) => id.replace("ep", "fact")).sort()).toEqual(recalled);
  return recalled;
}

describe("a superseded fact", () => {
  it("is valid until its successor begins, whenever that was recorded", async () => {
    await using t = createTestMemory();
    await timeouts(t);
    const answer = await t.call("supersede", { old: "fact:1", new: "fact:2" });
    expect(answer.valid_to).toBe("2025-03-01T00:00:00.000Z");
    expect(await t.call("get_fact", { fact_id: "fact:1" })).toMatchObject({
      valid_to: "2025-03-01T00:00:00.000Z",
      superseded_at: t.clock.timestamp,
    });
    expect(await listRecalled(t, { as_of: "2025-02-10" })).toEqual(["fact:1"]);
    expect(await listRecalled(t, { as_of: "2025-06-01" })).toEqual(["fact:2"]);
    expect(await listRecalled(t, {})).toEqual(["fact:2"]);
  });

  it("is known as valid until its end is recorded", async () => {
    await using t = createTestMemory();
    await timeouts(t);
    await t.call("supersede", { old: "fact:1", new: "fact:2" });
    expect(await listRecalled(t, { known_at: "2025-12-31" })).toEqual([]);
    expect(await listRecalled(t, { known_at: "2026-01-05" })).toEqual(["fact:1"]);
    expect(await listRecalled(t, { known_at: "2026-01-15" })).toEqual(["fact:1", "fact:2"]);
    expect(await listRecalled(t, { known_at: "2026-01-25" })).toEqual(["fact:2"]);
    expect(await listRecalled(t, { as_of: "2025-06-01", known_at: "2026-01-05" })).toEqual([
      "fact:1",
    ]);
    expect(await listRecalled(t, { as_of: "2025-02-01", known_at: "2026-01-25" })).toEqual([
      "fact:1",
    ]);
    expect(await listRecalled(t, { as_of: "2025-06-01", known_at: "2026-01-25" })).toEqual([
      "fact:2",
    ]);
  });

  it("ends at the given time unless that precedes its beginning", async () => {
    await using t = createTestMemory();
    await timeouts(t);
    const events = await t.call("events");
    expect(
      (await t.failure("supersede", { old: "fact:1", new: "fact:2", until: "2024-12-01" })).message,
    ).toMatch(/^until: fact:1 is valid from 2025-01-01/);
    expect(await t.call("events")).toEqual(events);
    await t.apply("supersede old=fact:1 new=fact:2 until=2025-02-01");
    expect(await listRecalled(t, { as_of: "2025-02-15" })).toEqual([]);
    expect(await listRecalled(t, { as_of: "2025-01-15" })).toEqual(["fact:1"]);
  });

  it("loses a conflict in the same way, and past views show the conflict as open", async () => {
    await using t = createTestMemory();
    await timeouts(t);
    await t.call("open_conflict", { fact_a: "fact:1", fact_b: "fact:2" });
    t.clock.advance(10 * DAY);
    await t.call("resolve_conflict", { conflict_id: "conflict:1", winning_fact_id: "fact:2" });
    expect(await listRecalled(t, { as_of: "2025-02-10" })).toEqual(["fact:1"]);
    const response = { query: "timeout", known_at: "2026-01-25" };
    expect((await t.call("recall", response)).open_conflicts).toMatchObject([{ id: "conflict:1" }]);
    expect((await t.call("recall", { query: "timeout" })).open_conflicts).toEqual([]);
  });

  it("adjusts its end when its successor's beginning changes, and undo reverts that", async () => {
    await using t = createTestMemory();
    await timeouts(t);
    await t.call("supersede", { old: "fact:1", new: "fact:2" });
    await t.call("update_episode", { episode_id: "ep:2", occurred_at: "2025-02-01" });
    expect(await listRecalled(t, { as_of: "2025-02-10" })).toEqual(["fact:2"]);
    await t.call("undo", {});
    expect(await listRecalled(t, { as_of: "2025-02-10" })).toEqual(["fact:1"]);
    await t.call("undo", {});
    expect(await t.call("get_fact", { fact_id: "fact:1" })).toMatchObject({
      status: "active",
      valid_to: null,
      superseded_at: null,
    });
  });

  it("ends when it is recorded if its successor did not begin later", async () => {
    await using t = createTestMemory();
    await timeouts(t);
    const { valid_to: end } = await t.call("supersede", { old: "fact:2", new: "fact:1" });
    expect(end).toBe(t.clock.timestamp);
  });
});

it("matches a model of the full history for valid and known times", async () => {
  const day = fc.integer({ min: 0, max: 40 });
  const step = fc.record({ begins: day, replaces: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 6 }),
      day,
      day,
      async (steps, asOf, known) => {
        await using t = createTestMemory();
        const start = t.clock.now().getTime();
        const at = (days: number) => new Date(start + days * DAY).toISOString();
        const written: { id: string; from: string; told: string; to?: string; closed?: string }[] =
          [];
        for (const { begins, replaces } of steps) {
          t.clock.advance(3 * DAY);
          const occurred_at = at(begins);
          const made = {
            id: `fact:${written.length + 1}`,
            from: occurred_at,
            told: t.clock.timestamp,
          };
          await t.call("remember", {
            content: `timeout ${written.length}`,
            episode_type: "fact",
            entities: ["tool:gateway"],
            occurred_at,
          });
          t.clock.advance(DAY);
          const old = written.findLast(({ closed }) => closed === undefined);
          if (replaces && old !== undefined) {
            const { valid_to: to } = await t.call("supersede", { old: old.id, new: made.id });
            expect(to).toBe(
              made.from > old.from ? made.from : [old.from, t.clock.timestamp].sort()[1],
            );
            Object.assign(old, { to, closed: t.clock.timestamp });
          }
          written.push(made);
        }
        const times = { as_of: at(asOf), known_at: at(known) };
        const wasOpen = (closed?: string) => closed === undefined || closed > times.known_at;
        const expected = {
          asOf: written.filter(({ from, to }) => from <= times.as_of && !(to && to <= times.as_of)),
          known: written.filter(({ told, closed }) => told <= times.known_at && wasOpen(closed)),
          both: written.filter(
            ({ from, told, to, closed }) =>
              from <= times.as_of &&
              told <= times.known_at &&
              (!(to && to <= times.as_of) || wasOpen(closed)),
          ),
        };
        const ids = (facts: readonly { id: string }[]) => facts.map(({ id }) => id).sort();
        expect(await listRecalled(t, { as_of: times.as_of })).toEqual(ids(expected.asOf));
        expect(await listRecalled(t, { known_at: times.known_at })).toEqual(ids(expected.known));
        expect(await listRecalled(t, times)).toEqual(ids(expected.both));
      },
    ),
    { numRuns: 12 },
  );
});
