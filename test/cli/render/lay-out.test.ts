import fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { alignColumns, wrapText } from "../../../src/cli/render/lay-out.ts";

describe("columns", () => {
  it("align by display width: wide characters count two, color codes zero", () => {
    expect(
      alignColumns(
        [
          ["記憶", "x"],
          ["\u001b[36mab\u001b[39m", "y"],
          ["abcde", "z"],
        ],
        80,
      ).map((line) => line.replace(/\u001b\[\d+m/g, "")),
    ).toEqual(["記憶   x", "ab     y", "abcde  z"]);
  });

  it("wrap the last column in place", () => {
    expect(alignColumns([["key", "one two three four five six"]], 25)).toEqual([
      "key  one two three four",
      "     five six",
    ]);
  });
});

describe("wrapping", () => {
  it("preserves all characters except spaces at line ends, within the width", () => {
    const text = fc.string({
      unit: fc.constantFrom("a", "word ", "記", " ", "\n", "👍🏽", "é"),
      maxLength: 60,
    });
    fc.assert(
      fc.property(text, fc.integer({ min: 4, max: 30 }), (input, columns) => {
        const lines = wrapText(input, columns);
        for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
        expect(lines.join("").replaceAll(" ", "")).toBe(input.replace(/[ \n]/g, ""));
      }),
    );
  });

  it("breaks words longer than a line", () => {
    expect(wrapText("https://example.org/a", 10)).toEqual(["https://ex", "ample.org/", "a"]);
  });
});
