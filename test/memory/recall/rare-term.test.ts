import { expect, it } from "vitest";
import { createPromptContext } from "../../../src/memory/briefing/prompt-context.ts";
import { createTestMemory } from "../../support/test-memory.ts";
import { createWordEmbedder } from "../../support/word-embedder.ts";

const RULE = "Call roundVatPerLine once an invoice is final";
const NOISE = ["parser reads each file", "tests of the module fail", "order service starts a job"];
const PROMPT = "the tests of the parser module fail in the file with roundVatPerLine";

it.each([
  ["with vectors", () => ({ embedder: createWordEmbedder() })],
  ["without vectors", () => ({})],
])(
  "finds the rule whose rare term a query of common words contains, %s",
  async (_name, options) => {
    await using test = createTestMemory(options());
    const ops = Array.from({ length: 300 }, (_, n) => ({
      op: "remember",
      content: `The ${NOISE[n % NOISE.length]} in run ${n}`,
    }));
    await test.call("remember", { content: RULE, episode_type: "decision" });
    await test.call("apply", { changeset: JSON.stringify(ops) });
    const { episodes } = await test.call("recall", { query: PROMPT });
    expect(episodes[0]?.content).toBe(RULE);
    const context = await createPromptContext(test.memory, { prompt: PROMPT, shown: new Set() });
    expect(context?.text).toContain(RULE);
  },
);

it.each([
  ["Pools only, no malloc once the scheduler runs.", "decision", true],
  ["Never use lodash in the storefront.", "preference", true],
  ["The profiler counts each malloc of the scheduler.", "observation", false],
])("scores a rule that rejects a rare word of a long query: %s", async (content, type, isFound) => {
  await using test = createTestMemory({ embedder: createWordEmbedder() });
  const ops = Array.from({ length: 60 }, (_, n) => ({
    op: "remember",
    content: `The ${NOISE[n % NOISE.length]} in run ${n}`,
  }));
  await test.call("apply", { changeset: JSON.stringify(ops) });
  await test.call("remember", { content, episode_type: type });
  const query =
    "uint8_t *frame = malloc(len + 4); lodash.debounce(send, 20); memcpy(frame, head, 4); queue_push(&tx, frame)";
  const { episodes } = await test.call("recall", { query });
  const score = episodes.find((episode) => episode.content === content)?.score ?? 0;
  expect(score >= 0.7).toBe(isFound);
});
