import { describe, expect, it } from "vitest";
import { textsAreStale } from "../../../src/memory/search/match-texts.ts";
import { createTestMemory } from "../../support/test-memory.ts";

it("a new database needs no reindexing", async () => {
  await using test = createTestMemory();
  await test.call("remember", { content: "first" });
  expect(await (await test.memory.database()).read((tx) => textsAreStale(tx))).toBe(false);
});

describe("text-only search finds", () => {
  it.each([
    ["an error code by its number", "the build ends with TS2345", "2345"],
    ["a function by its words", "call getUserById first", "user by id"],
    ["a snake-case name by its camel-case one", "call user_by_id first", "userById"],
    ["a file by its name", "see src/foo/bar.ts", "bar.ts"],
    ["a commit by its short hash", "fixed in 3a5bcb2e9f00aa11bb22", "3a5bcb2"],
    ["a commit by its long hash", "fixed in 3a5bcb2", "3a5bcb2e9f00aa11bb22"],
    ["umlauts spelled out", "Herr Müller kommt", "Mueller"],
    ["a German word by a compound", "die Datenbank ist langsam", "Datenbankverbindung"],
    ["a German compound by its first word", "die Datenbankverbindung bricht ab", "Datenbank"],
    ["a German inflection", "alle Häuser sind rot", "Häusern"],
    ["a Finnish inflection", "varmuuskopio tietokannasta", "tietokanta"],
    ["an error by its number", "tsc says TS2345 again", "2345"],
    ["full-width letters", "the ＡＰＩ of payments", "API"],
    ["decomposed Hangul", `the file ${"한글".normalize("NFD")}`, "한글"],
    ["a sharp s", "the Straße is closed", "STRASSE"],
    ["a final sigma", "η ΟΔΟΣ", "οδος"],
    ["an emoji", "we shipped it 🎉 today", "🎉"],
    ["an emoji in the middle of words", "ship🚀it", "who used 🚀?"],
    ["an emoji in another tone of skin", "fine 👍🏽", "👍"],
    ["an emoji drawn as text", "with ❤ from here", "❤️"],
    ["a family", "the family 👨‍👩‍👧 met", "👨‍👩‍👧"],
    ["a joined emoji in any tone", "she is a 👩🏿‍💻", "👩‍💻"],
    ["a flag", "flown to 🇩🇪", "🇩🇪"],
    ["a flag of a region", "flown to 🏴󠁧󠁢󠁳󠁣󠁴󠁿", "🏴󠁧󠁢󠁳󠁣󠁴󠁿"],
    ["a keycap", "press 1️⃣ here", "1️⃣"],
    ["a keycap by its digit", "press 7️⃣ here", "7"],
    ["a sign drawn as a picture", "turn ↔️ around", "↔️"],
    ["a word with a zero-width space", "the data\u200bbase", "database"],
  ])("%s", async (_what, content, query) => {
    await using test = createTestMemory();
    await test.call("remember", { content: "nothing of the kind" });
    await test.call("remember", { content });
    const { episodes } = await test.call("recall", { query, min_score: 0 });
    expect(episodes[0]?.content).toBe(content);
  });

  it("no prefix match if the whole word occurs", async () => {
    await using test = createTestMemory();
    await test.call("remember", { content: "databases everywhere" });
    await test.call("remember", { content: "datable wines" });
    const { episodes } = await test.call("recall", { query: "database" });
    expect(episodes.map(({ id }: { id: string }) => id)).toEqual(["ep:1"]);
  });
});
