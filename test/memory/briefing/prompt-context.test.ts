import { expect, it } from "vitest";
import { openMemory } from "../../../src/index.ts";
import { promptContext } from "../../../src/memory/index.ts";

const RULE =
  "No, only the digit strings with a leading zero. Every other field of the export is quoted where it has a comma or a quote, and rows end with CRLF.";
const SENTENCE =
  "Every other field of the export is quoted where it has a comma or a quote, and rows end with CRLF.";
const PROMPT =
  "A field of the export with a comma spills into the next column, fix the export of rows";

async function withSession(memory: ReturnType<typeof openMemory>): Promise<void> {
  await memory.read_source({
    ...{ kind: "claude-code", key: "export" },
    passages: [
      ["user", "The export to the ERP loses zeros: 00042 came in as 42."],
      ["assistant", "Should I write every field of the export in the form of a formula?"],
      ["user", RULE],
    ].map(([by = "", text = ""], index) => ({
      ...{ key: String(index), role: "turn" as const, by, text },
      occurred_at: `2026-03-01T09:0${index}:00Z`,
    })),
  });
}

it("shows the passage whole rather than the sentence that was kept out of it", async () => {
  await using memory = openMemory({ path: ":memory:", embedding: { provider: "none" } });
  await withSession(memory);
  await memory.remember({ content: SENTENCE, episode_type: "decision" });
  await memory.remember({
    content: "The export of rows always has a header with a comma after each field.",
    episode_type: "decision",
  });
  const { text = "" } =
    (await promptContext(memory, { prompt: PROMPT, shown: new Set(), patienceMs: 60_000 })) ?? {};
  expect(text).toContain(RULE);
  expect(text.split("Every other field of the export")).toHaveLength(2);
  // What no passage says is shown as before.
  expect(text).toContain("always has a header");
});
