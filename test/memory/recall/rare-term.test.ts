import { expect, it } from "vitest";
import { promptContext } from "../../../src/memory/briefing/prompt-context.ts";
import { testMemory } from "../../support/test-memory.ts";
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
    await using test = testMemory(options());
    const ops = Array.from({ length: 300 }, (_, n) => ({
      op: "remember",
      content: `The ${NOISE[n % NOISE.length]} in run ${n}`,
    }));
    await test.call("remember", { content: RULE, episode_type: "decision" });
    await test.call("apply", { changeset: JSON.stringify(ops) });
    const { episodes } = await test.call("recall", { query: PROMPT });
    expect(episodes[0]?.content).toBe(RULE);
    const context = await promptContext(test.memory, { prompt: PROMPT, shown: new Set() });
    expect(context?.text).toContain(RULE);
  },
);
