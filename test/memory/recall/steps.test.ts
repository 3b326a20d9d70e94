import { describe, expect, it } from "vitest";
import { isOrderQuery } from "../../../src/memory/recall/steps.ts";
import { createTestMemory } from "../../support/test-memory.ts";

describe("a query for an order", () => {
  it.each([
    "In which order did I build the tracker?",
    "List the order in which I raised these topics",
    "Walk me through what we did, in order.",
    "Give me a timeline of the outage",
    "In welcher Reihenfolge kamen die Fehler?",
    "Dans quel ordre ?",
    "¿En qué orden lo hicimos?",
    "按时间顺序说说",
  ])("is %j", (query) => expect(isOrderQuery(query)).toBe(true));

  it.each([
    "Where are orders of customers kept?",
    "What must I do in order to deploy?",
    "Place an order for ten chairs",
    "reverse a sequence in Python",
  ])("is not %j", (query) => expect(isOrderQuery(query)).toBe(false));

  it("ranks one episode of each step before further ones of the same step", async () => {
    await using test = createTestMemory();
    const ops = [1, 2, 3].flatMap((day) =>
      Array.from({ length: 6 }, (_, turn) => ({
        op: "remember",
        content:
          turn === 0
            ? `Weather app work of stage ${day}`
            : `More weather app work${day === 2 ? " on the weather app" : ""}, part ${day}.${turn}`,
        session: `day-${day}`,
      })),
    );
    await test.call("apply", { changeset: JSON.stringify(ops) });
    const sessionsOf = async (query: string) => {
      const { episodes } = await test.call("recall", {
        query,
        episode_k: 3,
        min_score: 0,
        explain: true,
      });
      return new Set(episodes.map(({ id }) => Math.ceil(Number(id.slice(3)) / 6))).size;
    };
    expect(await sessionsOf("weather app work")).toBeLessThan(3);
    expect(await sessionsOf("In which order came the weather app work?")).toBe(3);
  });
});
