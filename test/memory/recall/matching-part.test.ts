import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findMatchingPart } from "../../../src/memory/recall/matching-part.ts";
import { parseQueryWords } from "../../../src/memory/search/query-words.ts";
import { createTestMemory } from "../../support/test-memory.ts";

const code = Array.from({ length: 80 }, (_, n) => `const value${n} = compute(${n}, "step");`).join(
  "\n",
);
const ANSWER = "The nightly export is throttled to 7 rows a second.";
const LONG = `Here is the whole file:\n\`\`\`ts\n${code}\n\`\`\`\n${ANSWER} Ask Ada.\n${code}`;
const asked = (query: string, most = 300) => findMatchingPart(LONG, parseQueryWords(query), most);

describe("the relevant part of a long text", () => {
  it("includes the query words with context and marks omissions", () => {
    const part = asked("how are exports throttled?") ?? "";
    expect(part).toContain(ANSWER);
    expect(part.length).toBeLessThanOrEqual(300);
    expect(part).toMatch(/^… .*value.* …$/s);
    expect(part.indexOf(ANSWER)).toBeGreaterThan(60);
  });

  it("is code for a code query, without a mark at the beginning", () => {
    expect(asked("value41")).toContain("const value41");
    expect(asked("whole file")).toMatch(/^Here is the whole file/);
  });

  it("is undefined without a matching word", () => {
    expect(asked("penguins")).toBeUndefined();
    expect(asked("")).toBeUndefined();
  });

  it("never exceeds the limit for any text", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 400 }),
        fc.integer({ min: 20, max: 200 }),
        (text, most) => {
          const part = findMatchingPart(`${text} needle ${text}`, ["needle"], most);
          expect(part ?? "").toHaveLength(Math.min(part?.length ?? 0, most));
        },
      ),
    );
  });
});

describe("a recall of a long episode", () => {
  const recallBy = async (surface: "mcp" | "rest", max_chars?: number) => {
    await using test = createTestMemory();
    await test.call("remember", { content: LONG });
    const input = { query: "how are exports throttled?", ...(max_chars && { max_chars }) };
    return await test.memory.execute("recall", input, { surface });
  };

  it("shows a model the relevant part and marks it as a part", async () => {
    const { episodes, formatted } = await recallBy("mcp", 6_000);
    expect(episodes[0]?.content).toBe(LONG);
    expect(formatted).toContain(ANSWER);
    expect(formatted).toContain(`part of ${LONG.length} characters`);
    expect(formatted.length).toBeLessThan(1_700);
  });

  it("is truncated to that part only if it does not fit", async () => {
    const cut = await recallBy("rest", 400);
    expect(cut.formatted).toContain(ANSWER);
    expect(cut.formatted.length).toBeLessThanOrEqual(400);
    expect((await recallBy("rest")).formatted).toContain("const value79");
  });
});
