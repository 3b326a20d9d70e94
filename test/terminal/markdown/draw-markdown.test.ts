import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { drawMarkdown } from "../../../src/terminal/markdown/draw-markdown.ts";
import { paintLine } from "../../../src/terminal/text/style.ts";
import { lineWidth } from "../../../src/terminal/text/wrap.ts";

const draw = (text: string, width = 60) =>
  drawMarkdown(text, width).map((line) => paintLine(line, "none"));

const markdown = fc
  .array(
    fc.constantFrom(
      "# Title\n",
      "- item\n",
      "  - nested\n",
      "1. first\n",
      "> quote\n",
      "```ts\n",
      "```\n",
      "| a | b |\n|---|---|\n| 1 | 日本語 |\n",
      "**bold** and `code` ",
      "[link](https://example.org/a/long/address)",
      "\n",
      "\n\n",
      "| ",
      "***",
      "👩‍👩‍👧",
      "a word ",
    ),
  )
  .map((parts) => parts.join(""));

describe("drawMarkdown", () => {
  it("never draws a row wider than the screen, however narrow", () => {
    fc.assert(
      fc.property(markdown, fc.integer({ min: 24, max: 90 }), (text, width) => {
        for (const line of drawMarkdown(text, width)) {
          expect(lineWidth(line)).toBeLessThanOrEqual(width);
        }
      }),
    );
  });

  it("draws headings, lists, quotes and code", () => {
    const text = [
      "# Plan",
      "",
      "First **do** this:",
      "",
      "1. read `a.ts`",
      "2. write",
      "   - nested item that is long enough to need a second row here",
      "",
      "> said",
      "",
      "```ts",
      "const x = 1;",
      "```",
      "- [x] done",
    ].join("\n");
    expect(draw(text, 40)).toEqual([
      "Plan",
      "",
      "First do this:",
      "",
      "1. read a.ts",
      "2. write",
      "   - nested item that is long enough to",
      "     need a second row here",
      "",
      "│ said",
      "",
      "  const x = 1;",
      "",
      "- ☑ done",
    ]);
  });

  it("keeps a table within the width and aligns wide characters", () => {
    const table = "| name | what |\n|---|---|\n| 日本 | a long text that must wrap |\n| b | c |";
    expect(draw(table, 24)).toEqual([
      "name  what",
      "────  ──────────────────",
      "日本  a long text that",
      "      must wrap",
      "b     c",
    ]);
  });

  it("aligns columns as specified", () => {
    const table = "| left | right | centre |\n|:--|--:|:-:|\n| a | 1 | x |\n| bb | 22 | yy |";
    expect(draw(table, 40)).toEqual([
      "left  right  centre",
      "────  ─────  ──────",
      "a         1    x",
      "bb       22    yy",
    ]);
  });

  it("falls back to a list for a table that does not fit", () => {
    const table = `| ${"column | ".repeat(6)}\n|${"---|".repeat(6)}\n| ${"value | ".repeat(6)}`;
    expect(draw(table, 24)[0]).toBe("column: value");
  });

  it("shows link targets", () => {
    expect(draw("[bank](https://evil.example)")).toEqual(["bank (https://evil.example)"]);
  });

  it("survives thousands of nested quotes", () => {
    expect(draw(`${">".repeat(3000)} deep`).join("")).toContain("deep");
  });
});
