import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { paintLine } from "../../../src/terminal/text/style.ts";
import { lineWidth, truncateLine, wrapSpans, wrapText } from "../../../src/terminal/text/wrap.ts";

const plain = (lines: readonly (readonly { text: string }[])[]) =>
  lines.map((line) => line.map((piece) => piece.text).join(""));

const words = fc
  .array(fc.constantFrom("a", "word", "日本語", "👩‍👩‍👧", " ", "\n", "  ", "longlonglonglong", "é"))
  .map((parts) => parts.join(""));

describe("wrapSpans", () => {
  it("never draws a row wider than the screen", () => {
    fc.assert(
      fc.property(words, fc.integer({ min: 2, max: 30 }), (text, width) => {
        for (const line of wrapText(text, { width })) {
          expect(lineWidth(line)).toBeLessThanOrEqual(width);
        }
      }),
    );
  });

  it("drops only spaces at the end of rows", () => {
    fc.assert(
      fc.property(words, fc.integer({ min: 2, max: 30 }), (text, width) => {
        const output = plain(wrapText(text, { width })).join("");
        expect(output.replace(/\s/g, "")).toBe(text.replace(/\s/g, ""));
      }),
    );
  });

  it("breaks at spaces and keeps a word with several styles together", () => {
    const spans = [{ text: "one tw" }, { text: "o", style: { bold: true } }, { text: ", three" }];
    expect(plain(wrapSpans(spans, { width: 7 }))).toEqual(["one", "two,", "three"]);
  });

  it("breaks Japanese without spaces and counts two columns for each character", () => {
    expect(plain(wrapText("日本語です", { width: 6 }))).toEqual(["日本語", "です"]);
  });

  it("indents continuation rows", () => {
    const lines = wrapText("one two three", { width: 9, first: [{ text: "- " }] });
    expect(plain(lines)).toEqual(["- one two", "  three"]);
  });
});

describe("truncateLine", () => {
  it("marks truncation and fits", () => {
    expect(plain([truncateLine([{ text: "abc" }, { text: "日本語" }], 6)])).toEqual(["abc日…"]);
  });
});

describe("paintLine", () => {
  const line = [{ text: "x", style: { bold: true, color: "red" } as const }];

  it("uses weight without color with NO_COLOR, and nothing in plain text", () => {
    expect(paintLine(line, "color")).toBe("\x1b[1;31mx\x1b[0m");
    expect(paintLine(line, "mono")).toBe("\x1b[1mx\x1b[0m");
    expect(paintLine(line, "none")).toBe("x");
  });
});
