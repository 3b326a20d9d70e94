import { describe, expect, it } from "vitest";
import { createTestMemory } from "../../support/test-memory.ts";
import { createReadingEmbedder, createWordEmbedder } from "../../support/word-embedder.ts";

const TURNS = ["the museum opens at nine", "which door", "the blue one", "thanks"];

async function talk(embedder = createReadingEmbedder()) {
  const test = createTestMemory({ embedder });
  for (const content of TURNS) await test.call("remember", { content, session: "talk" });
  await test.call("remember", { content: "another room", session: "other" });
  await test.memory.makeMissingVectors();
  embedder.contexts.length = 0;
  return { test, embedder };
}

const contextOf = (embedder: ReturnType<typeof createReadingEmbedder>, text: string) =>
  embedder.contexts.find((context) => context.text === text)?.before;

describe("vectors that were read after an earlier turn", () => {
  it("include preceding turns of their session, but no later ones", async () => {
    const embedder = createReadingEmbedder();
    await using test = createTestMemory({ embedder });
    for (const content of TURNS) await test.call("remember", { content, session: "talk" });
    await test.call("remember", { content: "alone" });
    await test.memory.makeMissingVectors();
    expect(contextOf(embedder, "the blue one")).toBe("the museum opens at nine\nwhich door\n");
    expect(contextOf(embedder, "the museum opens at nine")).toBe("");
    expect(contextOf(embedder, "alone")).toBe("");
  });

  it.each([
    ["edited", "update_episode", { episode_id: "ep:1", content: "the zoo opens at ten" }],
    ["deleted", "delete_episode", { episode_id: "ep:1" }],
    ["purged", "purge", { ids: ["ep:1"] }],
    ["undone", "undo", { change: "change:1" }],
  ])("are rebuilt when %s", async (how, operation, input) => {
    const { test, embedder } = await talk();
    await using _closing = test;
    await test.call(operation as "purge", input as { ids: string[] });
    await test.memory.makeMissingVectors();
    const changed = how === "edited" ? "the zoo opens at ten\n" : "";
    expect(contextOf(embedder, "which door")).toBe(changed);
    expect(contextOf(embedder, "the blue one")).toBe(`${changed}which door\n`);
    expect(contextOf(embedder, "another room")).toBeUndefined();
  });

  it("do not delay recall or make its result partial", async () => {
    const { test, embedder } = await talk();
    await using _closing = test;
    await test.call("delete_episode", { episode_id: "ep:1" });
    embedder.contexts.length = 0;
    const { partial, episodes } = await test.call("recall", { query: "blue" });
    expect(partial).toBe(false);
    expect(episodes[0]?.content).toBe("the blue one");
    expect(embedder.contexts.map(({ text }) => text)).toEqual(["blue"]);
    expect(await test.memory.vectors.countPending()).toBe(3);
  });

  it("are unchanged with an embedder without context", async () => {
    await using test = createTestMemory({ embedder: createWordEmbedder() });
    for (const content of TURNS) await test.call("remember", { content, session: "talk" });
    await test.memory.makeMissingVectors();
    await test.call("delete_episode", { episode_id: "ep:1" });
    expect(await test.memory.vectors.countPending()).toBe(0);
  });
});
