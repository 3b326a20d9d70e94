import { expect, it } from "vitest";
import { heldImportInput } from "../../../src/ingest/importers/import-input.ts";
import { basicMemory } from "../../../src/ingest/importers/sources/basic-memory.ts";
import { markdown } from "../../../src/ingest/importers/sources/markdown.ts";

const SIZE = 100_000;
it.each([
  ["opened links", "[[".repeat(SIZE / 2)],
  ["a bullet of opened links", `- ${"[[a ".repeat(SIZE / 4)}`],
  ["nested emphasis", "*a **b ".repeat(SIZE / 7)],
  ["nested quotations", `${"> ".repeat(2_000)}x`],
  ["nested lists", Array.from({ length: 300 }, (_, n) => `${" ".repeat(n * 2)}- x`).join("\n")],
  ["aliases", "---\na: &a [x]\nb: [*a, *a]\n---\ntext"],
])("imports %s in linear time", async (_, text) => {
  const began = performance.now();
  for (const importer of [markdown, basicMemory]) {
    const input = heldImportInput(Buffer.from(text), "note.md");
    for await (const record of importer.read(input, {})) expect(record.kind).toBeDefined();
  }
  expect(performance.now() - began).toBeLessThan(2_000);
});
