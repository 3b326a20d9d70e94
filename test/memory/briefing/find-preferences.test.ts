import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { openMemory } from "../../../src/index.ts";
import { createPromptContext } from "../../../src/memory/index.ts";

const STANDING = [
  "Use tabs, not spaces.",
  "Never mock the database in tests",
  "Small commits, one idea each, and no force pushes",
  "Comments are written in British English",
  "Python functions carry type hints",
  "Ada likes tulips on her desk",
];

async function shownFor(prompt: string, shown: ReadonlySet<string> = new Set()): Promise<string> {
  await using memory = openMemory({ path: ":memory:", embedding: { provider: "none" } });
  for (const content of STANDING) {
    await memory.remember({ content, episode_type: "preference", asserted_by: "Ada" });
  }
  return (await createPromptContext(memory, { prompt, shown, timeoutMs: 60_000 }))?.text ?? "";
}

describe("standing preferences for a request without shared words", () => {
  it.each([
    ["Implement the parser for the invoice export", "Use tabs", "Never mock"],
    ["Write unit specs for the invoice importer, please", "Never mock", "force pushes"],
    ["Prepare a pull request with this work on the importer", "Small commits", "Use tabs"],
    ["Update the readme of the invoice importer", "British English", "force pushes"],
    ["Fix the crash in importer.py when a line is empty", "type hints", "force pushes"],
    ["Implementiere bitte den Parser für den Rechnungsexport", "Use tabs", "Never mock"],
  ])("%s → %s", async (prompt, applies, doesNot) => {
    const text = await shownFor(prompt);
    expect(text).toContain(applies);
    expect(text).not.toContain(doesNot);
    expect(text).not.toContain("tulips");
    expect(text).toMatch(/\(ep:\d, Ada, \d{4}-\d\d-\d\d\)/);
  });

  it.each([
    "continue",
    "run the tests",
    "yes, go on",
    "Fix the crash in lexer.rs when a line is empty, in Rust",
    "Why does the importer read each line of the file two times?",
    "What did the customer say about the colours of the invoice?",
    "Paint the garden fence in a cheerful green.",
  ])("keeps silent about what does not apply: %s", async (prompt) => {
    expect(await shownFor(prompt)).not.toMatch(/type hints|Small commits|Never mock|tulips/);
  });

  it.each(["continue", "run the tests", "yes, go on", "/compact", "Why is the build red today?"])(
    "returns nothing for %s",
    async (prompt) => {
      expect(await shownFor(prompt)).toBe("");
    },
  );

  it("shows it once per session, shortened", async () => {
    const prompt = "Implement the parser for the invoice export";
    const text = await shownFor(prompt);
    expect(countTokens(text)).toBeLessThan(200);
    const told = [...text.matchAll(/\((ep:\d)/g)].map(([, id = ""]) => id);
    expect(told.length).toBeGreaterThan(0);
    expect(await shownFor(prompt, new Set(told))).toBe("");
  });
});
