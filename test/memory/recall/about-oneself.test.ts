import { describe, expect, it } from "vitest";
import { isAboutOneself } from "../../../src/memory/recall/rank.ts";
import { createTestMemory } from "../../support/test-memory.ts";

describe("a query about the user", () => {
  it.each([
    "How many columns did I want to add?",
    "when does my first sprint end",
    "Can you list what I've tried so far?",
    "Kannst du mir sagen, was ich beschlossen habe?",
    "Was war mein Plan?",
    "Qu'est-ce que j'ai choisi ?",
    "¿Qué dije sobre mi presupuesto?",
    "Что я решил?",
    "我上周决定了什么？",
  ])("is %j", (query) => expect(isAboutOneself(query)).toBe(true));

  it.each([
    "Which libraries does the project use?",
    "Show me how the retrier works",
    "Tell me about the deployment",
    "How did you recommend to structure my work?",
    "What did we decide about retries?",
    "Was hast du mir geraten?",
    "Wie funktioniert der Import?",
    "What is i/o bound here, and what is user.my_id?",
    "你推荐了什么给我？",
    "",
  ])("is not %j", (query) => expect(isAboutOneself(query)).toBe(false));

  const said = [
    { content: "The budget tracker needs a notes column", asserted_by: "user" },
    { content: "The budget tracker needs a notes column, too", asserted_by: "assistant" },
  ];
  const remember = async (
    ops: readonly { content: string; asserted_by: string; episode_type?: string }[],
  ) => {
    const test = createTestMemory();
    for (const op of ops) await test.call("remember", op);
    return test;
  };
  const firstOf = async (test: ReturnType<typeof createTestMemory>, query: string) =>
    (await test.call("recall", { query, min_score: 0, explain: true })).episodes[0];

  it("ranks the user's words above the assistant's answer, which is still found", async () => {
    await using test = await remember(said);
    const query = "Which notes column of the budget tracker did I want?";
    const { episodes } = await test.call("recall", { min_score: 0, query, explain: true });
    expect(episodes.map((one) => one.asserted_by)).toEqual(["user", "assistant"]);
    expect(episodes[0]?.explain?.voice).toBe(0);
    expect(episodes[1]?.explain?.voice).toBeLessThan(0);
    expect(episodes[1]?.score).toBeGreaterThan(0);
  });

  it("does not penalize assistant statements in other queries or decisions", async () => {
    await using test = await remember(said);
    expect((await firstOf(test, "notes column of the budget tracker"))?.explain?.voice).toBe(0);
    await using decided = await remember([
      {
        content: "The root cause was the cache",
        asserted_by: "assistant",
        episode_type: "outcome",
      },
    ]);
    expect((await firstOf(decided, "why does my cache fail?"))?.explain?.voice).toBe(0);
  });
});
