import { describe, expect, it } from "vitest";
import {
  givesStandingInstruction,
  isStandingInstruction,
} from "../../../src/memory/search/standing-instructions.ts";
import { createTestMemory } from "../../support/test-memory.ts";

describe("a standing instruction", () => {
  it.each([
    "Always name the version when I ask about a dependency.",
    "Please never commit to main!",
    "From now on, use pnpm.",
    "Make sure to always run the linter first.",
    "Whenever I ask for a query, add the index that it needs.",
    "Verwende immer Tabs.",
    "Ab sofort nur noch auf Deutsch.",
    "Utilise toujours pnpm.",
    "Usa siempre comillas simples.",
    "Всегда пиши тесты.",
    "从现在开始用中文回答。",
    "必ずテストを書いてください。",
    "항상 한국어로 답해 주세요.",
  ])("is %j", (text) => expect(isStandingInstruction(text)).toBe(true));

  it.each([
    "Should I always use pnpm?",
    "I always eat at noon.",
    "Always here to help!",
    "Never been there.",
    "Never give up!",
    "We never found out why.",
    "It always worked before.",
    "Das war immer so.",
    `Always ${"and again ".repeat(60)}`,
  ])("is not %j", (text) => expect(isStandingInstruction(text)).toBe(false));

  it("is given by the user in a separate sentence", () => {
    const text = "The build is slow.\n- Never run it on CI.\n";
    expect(givesStandingInstruction(text, "user")).toBe(true);
    expect(givesStandingInstruction(text, null)).toBe(true);
    expect(givesStandingInstruction(text, "assistant")).toBe(false);
    expect(givesStandingInstruction("```\nAlways run this\n```", "user")).toBe(false);
  });
});

describe("recall asks standing instructions whether they apply", () => {
  const INSTRUCTION = "Always name the version when I ask about libraries";
  const talk = [
    "The libraries page has a table of libraries and their licences",
    "Libraries are listed twice on the libraries page",
    INSTRUCTION,
    "Tea is served at five",
  ];

  it("and ranks applicable ones above more similar items", async () => {
    await using test = createTestMemory();
    for (const content of talk) await test.call("remember", { content, asserted_by: "user" });
    const { episodes } = await test.call("recall", { query: "libraries?", explain: true });
    expect(episodes[0]?.content).toBe(INSTRUCTION);
    expect(episodes[0]?.explain?.standing).toBeGreaterThan(0);
    expect(episodes[1]?.explain?.standing).toBe(0);
  });

  it("and excludes inapplicable ones", async () => {
    await using test = createTestMemory();
    for (const content of talk) await test.call("remember", { content, asserted_by: "user" });
    const { episodes } = await test.call("recall", { query: "when is tea?" });
    expect(episodes.map(({ content }) => content)).toEqual(["Tea is served at five"]);
  });

  it("including edited ones and excluding deleted ones", async () => {
    await using test = createTestMemory();
    for (const content of talk) await test.call("remember", { content, asserted_by: "user" });
    await test.call("update_episode", { episode_id: "ep:3", content: "Libraries have versions" });
    await test.call("update_episode", { episode_id: "ep:1", content: INSTRUCTION });
    const { episodes } = await test.call("recall", { query: "libraries?", explain: true });
    const gains = new Map(episodes.map(({ id, explain }) => [id, explain?.standing ?? 0]));
    expect(gains.get("ep:1")).toBeGreaterThan(0);
    expect(gains.get("ep:3")).toBe(0);
  });
});
