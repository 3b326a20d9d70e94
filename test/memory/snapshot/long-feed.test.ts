import { expect, it } from "vitest";
import { JsonSpool } from "../../../src/server/rest/json-spool.ts";
import { OWNER } from "../../../src/shared/caller.ts";
import { createTestMemory } from "../../support/test-memory.ts";
import { countTurns } from "../../support/turns.ts";

const EVENTS = 2_500;

interface Section {
  readonly count: number;
  readonly events: readonly { readonly seq: number }[];
  readonly next_since_seq: number;
}

async function createFilledMemory(onStatement?: (statement: string) => void) {
  const test = createTestMemory({ ...(onStatement && { onStatement }) });
  const ops = Array.from({ length: EVENTS }, (_, n) => ({ op: "remember", content: `Note ${n}` }));
  await test.call("apply", { changeset: JSON.stringify(ops) });
  return test;
}

const numbers = (from: number) =>
  Array.from({ length: EVENTS - from }, (_, index) => from + index + 1);

it("reads a long feed in pages, in order, and yields in between", async () => {
  await countTurns(async (turn) => {
    const turns: number[] = [];
    await using test = await createFilledMemory((statement) => {
      if (/from "events".*order by/.test(statement)) turns.push(turn());
    });
    const sections = await test.call("snapshot", { scopes: ["events:7"] });
    const section = sections["events:7"] as unknown as Section;
    expect(section.events.map(({ seq }) => seq)).toEqual(numbers(7));
    expect(section).toMatchObject({ count: EVENTS - 7, next_since_seq: EVENTS });
    expect(new Set(turns).size).toBeGreaterThanOrEqual(3);
  });
});

it("reads no more than requested", async () => {
  await using test = await createFilledMemory();
  const found = await test.call("events", { since_seq: 100, limit: 1_100 });
  expect(found.events.map(({ seq }) => seq)).toEqual(numbers(100).slice(0, 1_100));
  expect(found.next_since_seq).toBe(1_200);
});

it("writes a long feed slice by slice", async () => {
  await using test = await createFilledMemory();
  const written: { text?: string; turns: number } = { turns: 0 };
  await countTurns(async (turn) => {
    await test.memory.executeNamed(
      "snapshot",
      { scopes: ["events"] },
      {
        caller: OWNER,
        consume: async (output) => {
          const before = turn();
          const spool = await JsonSpool.of(output);
          written.turns = turn() - before;
          written.text = await new Response(spool.body()).text();
        },
      },
    );
  });
  const { events } = JSON.parse(written.text ?? "{}") as { events: Section };
  expect(events.events.map(({ seq }) => seq)).toEqual(numbers(0));
  expect(written.turns).toBeGreaterThanOrEqual(10);
});
