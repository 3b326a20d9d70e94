import { expect, it } from "vitest";
import { createImportInput } from "../../../src/ingest/importers/import-input.ts";
import { importers } from "../../../src/ingest/importers/registry.ts";
import { isCairnError } from "../../../src/shared/errors.ts";

const SIZE = 100_000;
const repeated = (text: string) => text.repeat(SIZE / text.length);
it.each([
  ["opened links", repeated("[[")],
  ["opened links with labels", repeated("[[a|")],
  ["a bullet of opened links", `- ${repeated("[[a ")}`],
  ["nested emphasis", repeated("*a **b ")],
  ["asterisks", repeated("*")],
  ["backticks", repeated("`a")],
  ["table cells", repeated("|a")],
  ["headings", repeated("# a\n")],
  ["open comments", repeated("<a><!--")],
  ["nested quotations", `${"> ".repeat(2_000)}x`],
  ["nested lists", Array.from({ length: 300 }, (_, n) => `${" ".repeat(n * 2)}- x`).join("\n")],
  ["aliases", "---\na: &a [x]\nb: [*a, *a]\n---\ntext"],
  ["anchors that refer to themselves", `---\n${repeated("a: &a [*a,*a]\n")}---\ntext`],
  ["nested JSON arrays", repeated("[")],
  ["nested JSON objects", repeated('{"a":')],
  ["JSON objects on one line", repeated('{"a":1}')],
  ["JSON graphs in each other", repeated('{"entities":[')],
  ["quotes", repeated('"')],
  ["an open CSV field", `a,b\n"${repeated('x""y')}`],
  ["blank lines", repeated("\r\n")],
])("reads %s in linear time with every importer", async (_, text) => {
  const input = createImportInput(Buffer.from(text), "note.md");
  const kinds = new Set<string>();
  for (const importer of importers) {
    const before = process.cpuUsage();
    try {
      await importer.recognizes(input);
      for await (const record of importer.read(input, {})) kinds.add(record.kind);
    } catch (error) {
      if (!isCairnError(error)) throw error;
    }
    expect(process.cpuUsage(before).user / 1_000, importer.name).toBeLessThan(2_000);
  }
  expect(kinds).toContain("skipped");
});
