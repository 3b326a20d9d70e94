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
    ["Write unit specs for the invoice importer, please", "Never mock", "force pushes"],
    ["Prepare a pull request with this work on the importer", "Small commits", "Use tabs"],
    ["Update the readme of the invoice importer", "British English", "force pushes"],
    ["Dokumentiere bitte die Schnittstelle des Importers", "British English", "Use tabs"],
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
    "/compact",
    "Why is the build red today?",
    "Implement the parser for the invoice export",
    "Create it again with this change to the importer class",
    "Why does the importer read each line of the file two times?",
    "What did the customer say about the colours of the invoice?",
    "Paint the garden fence in a cheerful green.",
  ])("returns nothing for %s", async (prompt) => {
    expect(await shownFor(prompt)).toBe("");
  });

  it("shows it once per session, shortened", async () => {
    const prompt = "Prepare a pull request with this work on the importer";
    const text = await shownFor(prompt);
    expect(countTokens(text)).toBeLessThan(200);
    const lines = [...text.matchAll(/\((ep:\d)/g)].map(([, id = ""]) => id);
    expect(lines.length).toBeGreaterThan(0);
    expect(await shownFor(prompt, new Set(lines))).toBe("");
  });
});
