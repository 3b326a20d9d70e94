import { expect, it } from "vitest";
import { createPromptContext } from "../../../src/memory/briefing/prompt-context.ts";
import { CairnError } from "../../../src/shared/errors.ts";
import { createTestMemory } from "../../support/test-memory.ts";
import { createWordEmbedder } from "../../support/word-embedder.ts";

const DECISION = "We deploy on Tuesdays, never on Fridays";
const COMMITS = [
  "Wait for a decision when the webhook of a team fails",
  "Say when the index was last built",
  "Do not wait for a lock that nobody holds",
  "Name the file where a setting comes from",
];

async function imported(commits: number) {
  const embedder = createWordEmbedder();
  const test = createTestMemory({ embedder });
  await test.call("read_source", {
    kind: "git",
    key: "shop",
    passages: Array.from({ length: commits }, (_, n) => ({
      key: `${n}`,
      role: "commit" as const,
      by: "Ada",
      text: `${COMMITS[n % COMMITS.length]}, part ${n}`,
      occurred_at: "2026-03-01T09:00:00Z",
    })),
  });
  await test.call("remember", { content: DECISION, episode_type: "decision" });
  return { test, embedder };
}

const ASKED = { query: "when do we deploy?", passage_k: 4 };

it("ranks a decision before imported commits while most vectors are missing", async () => {
  const { test } = await imported(600);
  await using _ = test;
  const { episodes, passages = [], partial } = await test.call("recall", ASKED);
  expect(partial).toBe(true);
  expect(episodes[0]?.content).toBe(DECISION);
  for (const { score } of passages) expect(score).toBeLessThan(episodes[0]?.score ?? 0);
});

it("ranks it first while vectors are unavailable", async () => {
  const { test, embedder } = await imported(60);
  await using _ = test;
  embedder.failure = new CairnError("unavailable", "the model is away");
  const { episodes, passages = [] } = await test.call("recall", ASKED);
  expect(episodes[0]?.content).toBe(DECISION);
  for (const { score } of passages) expect(score).toBeLessThan(episodes[0]?.score ?? 0);
});

it("scores passages that share only a common word low with and without vectors", async () => {
  const { test } = await imported(60);
  await using _ = test;
  const response = { query: "who waits for the office plants?", passage_k: 4, min_score: 0 };
  const early = await test.call("recall", response);
  await test.memory.makeMissingVectors();
  const late = await test.call("recall", response);
  const scores = [...(early.passages ?? []), ...(late.passages ?? [])].map(({ score }) => score);
  expect(scores.length).toBeGreaterThan(0);
  expect(Math.max(...scores)).toBeLessThan(0.25);
});

it("shows none of them at a prompt", async () => {
  const { test } = await imported(60);
  await using _ = test;
  const prompt = "who waits for the office plants in the kitchen?";
  expect(await createPromptContext(test.memory, { prompt, shown: new Set() })).toBeUndefined();
});
