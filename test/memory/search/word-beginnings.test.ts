import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { listShortenings } from "../../../src/memory/search/match-texts.ts";
import { createTestMemory } from "../../support/test-memory.ts";

describe("the beginnings of a word", () => {
  it("have a bounded total length for any word", () => {
    fc.assert(
      fc.property(fc.constantFrom("a", "é", "ß", "ж", "𝒜"), fc.nat(70_000), (letter, length) => {
        const beginnings = listShortenings(letter.repeat(length)).flatMap((one) => one.beginnings);
        expect(beginnings.join("").length).toBeLessThan(4_000);
      }),
    );
  });

  it("replace a compound word", async () => {
    await using test = createTestMemory();
    await test.call("remember", { content: "Die Datenbank liegt in Wien" });
    const { episodes } = await test.call("recall", { query: "Datenbankverbindung" });
    expect(episodes.map(({ content }) => content)).toEqual(["Die Datenbank liegt in Wien"]);
  });
});

it.each(["a", "A", "é", "Ω", "かな", "😀", "a-", "a1", "x\u0301"])(
  "uses no quadratic memory for one long word of %j",
  async (piece) => {
    await using test = createTestMemory();
    await test.call("remember", { content: "Something else" });
    const before = process.memoryUsage();
    const query = piece.repeat(64_000 / piece.length);
    const found = await test.call("recall", { query });
    expect(found.concepts).toEqual([]);
    const { heapUsed, external } = process.memoryUsage();
    expect(heapUsed + external - before.heapUsed - before.external).toBeLessThan(150_000_000);
  },
);
