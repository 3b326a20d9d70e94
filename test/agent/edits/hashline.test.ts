import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hashLine } from "../../../src/agent/edits/hash-line.ts";
import { applyHashlineEdits, type HashlineEdit } from "../../../src/agent/edits/hashline.ts";

const anchor = (lines: readonly string[], number: number) =>
  `${number}:${hashLine(lines[number - 1] ?? "")}`;

const line = fc.oneof(
  fc.constantFrom("", " ", "\t", "a", "  a", "a ", "{", "}", "é", "1:abcd|x", "\r"),
  fc.string({ maxLength: 6 }).map((text) => text.replace(/[\r\n]/g, "")),
);

/** A line as inserted by an edit: without an anchor, and different from the lines around it. */
const freshLine = fc.oneof(
  fc.constantFrom("", " ", "\t", "new", "  new", "new "),
  line.map((text) => `n${text}`),
);

/**
 * Non-overlapping spans of a file, each kept, replaced, deleted, or with lines inserted around it.
 */
const scenario = fc
  .record({
    lines: fc.array(
      line.filter((text) => !text.endsWith("\r")),
      { minLength: 1, maxLength: 12 },
    ),
    end: fc.constantFrom("\n", "\r\n"),
    lastNewline: fc.boolean(),
    choices: fc.array(fc.nat({ max: 4 }), { minLength: 12, maxLength: 12 }),
    fresh: fc.array(
      freshLine.filter((text) => !text.endsWith("\r")),
      { minLength: 1, maxLength: 3 },
    ),
  })
  .filter(({ lines, lastNewline }) => lastNewline || lines.at(-1) !== "");

describe("hashline edits", () => {
  it("gives the same result as array operations, with any line ending", () => {
    fc.assert(
      fc.property(scenario, ({ lines, end, lastNewline, choices, fresh }) => {
        const edits: HashlineEdit[] = [];
        const expected: string[] = [];
        const content = fresh.join("\n") + (fresh.at(-1) === "" ? "\n" : "");
        lines.forEach((text, index) => {
          const start = anchor(lines, index + 1);
          switch (choices[index]) {
            case 1:
              edits.push({ start, content });
              expected.push(...fresh);
              break;
            case 2:
              edits.push({ start, content: "" });
              break;
            case 3:
              edits.push({ start, content, insert: "before" });
              expected.push(...fresh, text);
              break;
            case 4:
              edits.push({ start, content, insert: "after" });
              expected.push(text, ...fresh);
              break;
            default:
              expected.push(text);
          }
        });
        const file = lines.join(end) + (lastNewline ? end : "");
        const usual = file.includes(end) ? end : "\n";
        const wanted =
          expected.length === 0 ? "" : expected.join(usual) + (lastNewline ? usual : "");
        expect(applyHashlineEdits(file, [...edits].reverse()).text).toBe(wanted);
      }),
      { numRuns: 500 },
    );
  });

  it("leave the file alone when any anchor does not fit, and show the lines as they are", () => {
    const file = "one\ntwo\nthree\n";
    const edits = [
      { start: anchor(["one"], 1), content: "ONE" },
      { start: "2:0000", content: "TWO" },
    ];
    expect(() => applyHashlineEdits(file, edits)).toThrow(
      new RegExp(
        `Nothing was changed.*1:${hashLine("one")}\\|one\n2:${hashLine("two")}\\|two`,
        "s",
      ),
    );
  });

  it("notice a change of indentation alone", () => {
    expect(() =>
      applyHashlineEdits("    x\n", [{ start: `1:${hashLine("  x")}`, content: "y" }]),
    ).toThrow("does not match");
  });

  it("refuse to overlap", () => {
    const lines = ["a", "b", "c"];
    const edits = [
      { start: anchor(lines, 1), end: anchor(lines, 2), content: "x" },
      { start: anchor(lines, 2), content: "y" },
    ];
    expect(() => applyHashlineEdits("a\nb\nc\n", edits)).toThrow("touch the same lines");
  });

  it("refuse an insertion inside lines that are replaced", () => {
    const lines = ["a", "b", "c"];
    const edits = [
      { start: anchor(lines, 1), end: anchor(lines, 3), content: "x" },
      { start: anchor(lines, 2), content: "y", insert: "before" as const },
    ];
    expect(() => applyHashlineEdits("a\nb\nc\n", edits)).toThrow("touch the same lines");
  });

  it("preserves a missing final newline when lines are appended", () => {
    const edit = { start: anchor(["a"], 1), content: "b", insert: "after" as const };
    expect(applyHashlineEdits("a", [edit]).text).toBe("a\nb");
  });

  it("fill an empty file with an insertion at 0:", () => {
    const edit = { start: "0:", content: "a\nb\n", insert: "before" as const };
    expect(applyHashlineEdits("", [edit]).text).toBe("a\nb\n");
  });

  it.each(["2", "abc", "0:0000", "99:0000", ":ffff", "-1:ffff"])(
    "refuse the anchor %j",
    (start) => {
      expect(() => applyHashlineEdits("a\n", [{ start, content: "x" }])).toThrow();
    },
  );
});
