import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { ChangesetForm } from "../../../src/memory/changeset/changeset-form.ts";
import { parseChangesetSync } from "../../support/run-to-end.ts";

const OPS = `remember supersede conflict resolve dismiss concept update link label unlabel
  entity_relation evidence unlink reshape merge split delete restore processed topic set_topic`;

/** Accepts any key, so that only quoting, names and bare words are parsed. */
function openForm(op: string): ChangesetForm {
  const ids = ["id", "ids", "from", "to", "concept", "episode", "old", "new", "fact_a", "fact_b"];
  const refs = Object.fromEntries([...ids, "topic"].map((field) => [field, "other" as const]));
  return { op, keys: {}, open: true, text: "text", refs };
}

const forms = new Map(OPS.split(/\s+/).map((op) => [op, openForm(op)]));

function blocksOf(path: string, language: string): string[] {
  const blocks = readFileSync(path, "utf8").matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm);
  return [...blocks].filter((block) => block[1] === language).map((block) => block[2] ?? "");
}

describe("documentation examples", () => {
  const blocks = [
    ...blocksOf("docs/guides/changeset.md", "changeset"),
    ...blocksOf("docs/guides/changeset.md", "json"),
  ];

  it.each(blocks)("parses: %j", (block) => {
    const { ops, issues } = parseChangesetSync(block, forms);
    expect(issues).toEqual([]);
    expect(ops.length).toBeGreaterThan(0);
  });

  it("has an example of every op", () => {
    const lines = blocks.flatMap((block) =>
      parseChangesetSync(block, forms).ops.map((op) => op.op),
    );
    expect(new Set(lines)).toEqual(new Set(forms.keys()));
  });

  it("parses the first changeset that a reader applies", () => {
    const text = readFileSync("examples/first-memory.changeset", "utf8");
    const { ops, issues } = parseChangesetSync(text, forms);
    expect(issues).toEqual([]);
    expect(ops.filter((op) => op.op === "remember")).toHaveLength(11);
  });
});
