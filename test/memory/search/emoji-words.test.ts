import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { foldText, toReadableWord } from "../../../src/memory/search/fold-text.ts";
import { parseQueryWords } from "../../../src/memory/search/query-words.ts";
import { createTestMemory } from "../../support/test-memory.ts";

describe("the words of emoji", () => {
  it.each([
    ["neighbours apart", "🎉🚀", ["🎉", "🚀"]],
    ["whatever the tone of skin", "👍🏽 👍", ["👍"]],
    ["as a picture or as text", "❤️ ❤", ["❤"]],
    ["a joined one as one", "👩🏿‍💻", ["👩‍💻"]],
    ["flags by their letters", "🇩🇪🇫🇷", ["🇩🇪", "🇫🇷"]],
    ["keycaps beside their digit", "1️⃣", ["1", "1⃣"]],
    ["signs of text not at all", "© 2026 ACME → ↔ done", ["2026", "acme", "done"]],
    ["letters as letters", "ACME™ ℡", ["acmetm", "tel"]],
  ])("are %s", (_how, text, words) => {
    expect(parseQueryWords(text).map(toReadableWord)).toEqual(words);
  });

  it("leave other text unchanged", () => {
    const plain = fc.string({ unit: fc.constantFrom(..."ab1#*©→. éß記\u200d\ufe0f".split("")) });
    fc.assert(
      fc.property(plain, (text) => {
        fc.pre(!/©\ufe0f/.test(text));
        expect(foldText(text)).not.toContain("\ue000");
      }),
    );
  });
});

it("shows an emoji as written in an explained recall", async () => {
  await using test = createTestMemory();
  await test.call("remember", { content: "we shipped it 🎉" });
  const { explain } = await test.call("recall", { query: "🎉 cake", explain: true });
  expect(explain?.words).toEqual(["🎉", "cake"]);
  const why = await test.call("why_not", { query: "🎉 cake", id: "ep:1" });
  expect(why.words).toEqual({ query: ["🎉", "cake"], held: ["🎉"], missing: ["cake"] });
});
