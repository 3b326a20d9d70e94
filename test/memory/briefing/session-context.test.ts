import { describe, expect, it } from "vitest";
import { openMemory } from "../../../src/index.ts";
import { createPromptContext, createSessionContext } from "../../../src/memory/index.ts";
import { OWNER } from "../../../src/shared/caller.ts";
import { createTestMemory } from "../../support/test-memory.ts";

function open() {
  return openMemory({ path: ":memory:", embedding: { provider: "none" } });
}

type Memory = ReturnType<typeof open>;

async function start(memory: Memory): Promise<string> {
  return (await createSessionContext({ project: memory, own: undefined }))?.text ?? "";
}

const NOBODY_SHOWN = new Set<string>();

async function prompted(memory: Memory, prompt: string): Promise<string> {
  const response = { prompt, shown: NOBODY_SHOWN, timeoutMs: 60_000 };
  return (await createPromptContext(memory, response))?.text ?? "";
}

describe("the session briefing", () => {
  it("omits superseded facts", async () => {
    await using memory = open();
    const fact = (content: string) =>
      memory.remember({ content, episode_type: "fact", entities: "tool:queue" });
    await fact("Background jobs use Redis.");
    await fact("Background jobs use RabbitMQ.");
    await memory.supersede({ old: "fact:1", new: "fact:2" });
    const text = await start(memory);
    expect(text).toContain("RabbitMQ");
    expect(text).not.toContain("Redis");
  });

  it("marks both sides of an open conflict", async () => {
    await using memory = open();
    for (const seconds of [10, 30]) {
      await memory.remember({
        content: `The gateway times out after ${seconds} seconds.`,
        episode_type: "fact",
        entities: "module:gateway",
      });
    }
    await memory.open_conflict({ fact_a: "fact:1", fact_b: "fact:2" });
    const lines = [
      await start(memory),
      await prompted(memory, "Which timeout has the gateway in seconds?"),
    ];
    for (const text of lines) {
      const facts = text.split("\n").filter((line) => line.includes("(ep:"));
      expect(facts).toHaveLength(2);
      for (const line of facts) expect(line).toContain("disputed in conflict:1");
    }
  });

  it("deduplicates paraphrased preferences", async () => {
    await using memory = open();
    const wordings = [
      "Use pnpm instead of npm",
      "Always use pnpm, not npm",
      "Please use pnpm rather than npm",
      "pnpm instead of npm, please",
      "We use pnpm, not npm",
      "npm is not to be used: use pnpm",
      "Never npm, use pnpm",
    ];
    await memory.remember({ content: "Small commits with a reason", episode_type: "preference" });
    for (const content of wordings) await memory.remember({ content, episode_type: "preference" });
    const text = await start(memory);
    expect(text.match(/pnpm/g)).toHaveLength(1);
    expect(text).toContain("Small commits");
  });

  it("distinguishes statements that differ only in a number", async () => {
    await using memory = open();
    for (const content of [
      "Retry at most 3 times in the importer",
      "Retry at most 5 times in the exporter",
    ]) {
      await memory.remember({ content, episode_type: "decision" });
    }
    expect((await start(memory)).match(/Retry at most/g)).toHaveLength(2);
  });
});

describe("the items at the start of a session", () => {
  it("leave out observations, outcomes and questions", async () => {
    await using memory = open();
    await memory.remember({ content: "Deploy on Fridays only", episode_type: "decision" });
    for (const episode_type of ["observation", "outcome", "question"] as const) {
      await memory.remember({ content: `Files changed: src/${episode_type}.ts`, episode_type });
    }
    expect((await start(memory)).match(/^- .*$/gm)).toEqual([expect.stringContaining("Fridays")]);
  });

  it("are empty if memory contains nothing explicit", async () => {
    await using memory = open();
    await memory.remember({ content: "Work on the importer", episode_type: "observation" });
    expect(await start(memory)).toBe("");
  });

  it("prefer what earlier sessions recalled, and fit into 400 tokens", async () => {
    const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
    await using here = createTestMemory({ recallLog: { recalls: 100, days: 30 } });
    const { memory } = here;
    const letters = "abcdefghijkl";
    const words = (letter: string) =>
      ["ost", "arn", "ell", "ift", "unk", "ard", "olt", "amp"].map((end) => `${letter}${end}`);
    await here.call("remember", { content: "The harbour never closes", episode_type: "decision" });
    for (const letter of letters) {
      const content = `${words(letter).join(" ")} ${words(`x${letter}`).join(" ")}`;
      await here.call("remember", { content, episode_type: "decision" });
    }
    const begin = async () =>
      (await createSessionContext({ project: memory, own: undefined }))?.text ?? "";
    const before = await begin();
    expect(before).not.toContain("harbour");
    const response = { caller: OWNER, surface: "mcp", client: "codex", session: "s1" } as const;
    for (let n = 0; n < 3; n += 1) {
      await memory.executeNamed("recall", { query: "harbour" }, response);
    }
    const after = await begin();
    expect(after).toContain("harbour");
    for (const text of [before, after]) expect(countTokens(text)).toBeLessThanOrEqual(400);
  });

  it("prefer the project to the user's other projects", async () => {
    await using project = open();
    await using own = open();
    await project.remember({ content: "Use tabs here", episode_type: "preference" });
    await own.remember({ content: "Answer in English", episode_type: "preference" });
    const text = (await createSessionContext({ project, own }))?.text ?? "";
    expect(text.indexOf("Use tabs here")).toBeLessThan(text.indexOf("Answer in English"));
  });
});

describe("the context of a prompt", () => {
  it.each(["continue", "run the tests", "ok commit it", "yes", "/compact", ""])(
    "is nothing for %j",
    async (prompt) => {
      await using memory = open();
      await memory.read_source({
        kind: "claude-code",
        key: "a",
        passages: [
          {
            key: "1",
            by: "user",
            text: "Continue with the tests of the retrier and run them.",
            occurred_at: "2026-03-01",
          },
        ],
      });
      expect(await prompted(memory, prompt)).toBe("");
    },
  );

  it("stays within 800 tokens of English", async () => {
    const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
    await using memory = open();
    const sentence =
      "The retrier of the gateway makes exactly seven attempts before the window of the upstream resets. ";
    await memory.read_source({
      kind: "claude-code",
      key: "a",
      passages: Array.from({ length: 30 }, (_, index) => ({
        key: String(index),
        by: index % 2 === 0 ? "user" : "assistant",
        text: `Turn ${index}: ${sentence.repeat(12)}`,
        occurred_at: "2026-03-01T09:00:00Z",
      })),
    });
    const text = await prompted(memory, "How many attempts does the retrier of the gateway make?");
    expect(text).toContain("passage:");
    expect(countTokens(text)).toBeLessThanOrEqual(800);
  });
});
