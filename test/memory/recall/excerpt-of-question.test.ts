import { expect, it } from "vitest";
import { createPromptContext } from "../../../src/memory/briefing/prompt-context.ts";
import { createTestMemory, type TestMemory } from "../../support/test-memory.ts";

const ANSWER = "The invoice archive moves to Rotterdam every quarter.";
const QUERY = "where does the invoice archive move?";
/** More sentences than are shown, each with more decision words than the answer. */
const OTHERS = Array.from(
  { length: 60 },
  (_, n) =>
    `It was finally decided that module \`m${n}\` must always use version ${n}.4 of its parser.`,
);

async function withLongSection(): Promise<TestMemory> {
  const test = createTestMemory();
  await test.memory.execute("read_source", {
    kind: "changelog",
    key: "CHANGELOG.md",
    passages: [
      {
        key: "1",
        role: "section",
        by: "CHANGELOG.md",
        text: [...OTHERS.slice(0, 5), ANSWER, ...OTHERS.slice(5)].join(" "),
        occurred_at: "2026-03-01T09:00:00Z",
      },
    ],
  });
  return test;
}

it("shows the sentence that answers in the text for people", async () => {
  await using test = await withLongSection();
  const { formatted } = await test.memory.execute("recall", { query: QUERY, passage_k: 1 });
  expect(formatted).toContain(ANSWER);
});

it.each([{ max_chars: 2_000 }, {}])("shows it to a model with %j", async (limits) => {
  await using test = await withLongSection();
  const input = { query: QUERY, passage_k: 1, ...limits };
  const found = await test.memory.execute("recall", input, { surface: "mcp" });
  expect(test.memory.operations.get("recall")?.present?.(found, input).text).toContain(ANSWER);
});

it("shows it at a prompt", async () => {
  await using test = await withLongSection();
  const context = await createPromptContext(test.memory, { prompt: QUERY, shown: new Set() });
  expect(context?.text).toContain(ANSWER);
});
