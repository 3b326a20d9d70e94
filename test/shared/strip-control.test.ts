import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  findHiddenCharacter,
  MAX_CARRIED_CHARACTERS,
  showControl,
  splitIncompleteControl,
  stripControl,
  stripControlLine,
} from "../../src/shared/text.ts";

const hostile = fc
  .array(
    fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom("\x1b[2J", "\x1b]0;t\x07", "\x9b31m", "\x1bP+q\x1b\\", "\u202e", "\ud800"),
      fc.constantFrom("\x1b", "[", "]", "\r", "\n", "\x07", "\x1b(", "plain", "日本"),
    ),
  )
  .map((parts) => parts.join(""));

describe("stripControl", () => {
  it("removes every terminal control for any input", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(stripControl(text)).not.toMatch(
          /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|\p{Surrogate}/u,
        );
      }),
    );
  });

  it("is idempotent", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(stripControl(stripControl(text))).toBe(stripControl(text));
      }),
    );
  });

  it.each([
    ["colours", "\x1b[1;31mred\x1b[0m", "red"],
    ["a window title", "a\x1b]0;pwned\x07b", "ab"],
    ["a clipboard write", "a\x1b]52;c;cm0gLXJm\x1b\\b", "ab"],
    ["a link", "\x1b]8;;http://x\x1b\\text\x1b]8;;\x1b\\", "text"],
    ["a device string", "a\x1bPq#0;2\x1b\\b", "ab"],
    ["eight bit sequences", "a\x9b2Jb\x9d0;t\x9cc", "abc"],
    ["a reversed file name", "evil\u202egnp.exe", "evilgnp.exe"],
    ["a bell and a backspace", "a\x07b\x08c", "abc"],
    ["Windows line ends", "a\r\nb\rc", "a\nb\nc"],
  ])("removes %s", (_name, input, output) => {
    expect(stripControl(input)).toBe(output);
  });

  it("keeps newlines, tabs, emoji and wide characters", () => {
    const text = "a\tb\n日本語 👩‍👩‍👧 é";
    expect(stripControl(text)).toBe(text);
  });

  it("processes a megabyte in well under a second", () => {
    const started = performance.now();
    stripControl("\x1b]0;".repeat(250_000));
    stripControl("\x1b[".repeat(500_000));
    expect(performance.now() - started).toBeLessThan(3_000);
  });

  it("shows text of one line on one line", () => {
    expect(stripControlLine("a\r\nb\t\x1b[Kc")).toBe("a b c");
  });
});

describe("splitIncompleteControl", () => {
  it("is independent of chunking", () => {
    const whole = "x\x1b[1;31mred\x1b[0m \x1b]0;title\x07\ud83d\ude00 \r\n end";
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: whole.length })), (cuts) => {
        const at = [0, ...cuts.sort((a, b) => a - b), whole.length];
        let rest = "";
        let output = "";
        for (let index = 1; index < at.length; index += 1) {
          const split = splitIncompleteControl(rest + whole.slice(at[index - 1], at[index]));
          output += stripControl(split.ready);
          rest = split.rest;
        }
        expect(output + stripControl(rest)).toBe(stripControl(whole));
      }),
    );
  });

  it("never holds back more than its limit", () => {
    const { rest } = splitIncompleteControl(`\x1b]0;${"x".repeat(5000)}`);
    expect(rest.length).toBeLessThanOrEqual(MAX_CARRIED_CHARACTERS);
  });
});

describe("text shown for approval", () => {
  it.each([
    ["make \x1b]; ./evil.sh #\x07", "make \\x1b]; ./evil.sh #\\x07"],
    ["echo tests \u0098; ./evil.sh ; : \u009c ok", "echo tests \\x98; ./evil.sh ; : \\x9c ok"],
    ["a\rb", "a\\x0db"],
    ["a\u202eb\u2066c", "a\\u{202e}b\\u{2066}c"],
    ["x\u200by\u00adz\ufeff", "x\\u{200b}y\\xadz\\u{feff}"],
    ["\u{e0041}", "\\u{e0041}"],
    ["rm a\u00a0b", "rm a\\xa0b"],
    ["a\u3164b\u2800", "a\\u{3164}b\\u{2800}"],
  ])("escapes control and invisible characters: %j", (text, output) => {
    expect(showControl(text)).toBe(output);
    expect(findHiddenCharacter(text)).toBeDefined();
  });

  it.each(["make test\n\tx", "echo 'é 日本 👩‍👩‍👧 ⚠️'", "a \\x1b b"])(
    "preserves visible text: %j",
    (text) => {
      expect(showControl(text)).toBe(text);
      expect(findHiddenCharacter(text)).toBeUndefined();
    },
  );
});
