import fc from "fast-check";
import { expect, it } from "vitest";
import { toWellFormedJson, toWellFormedText, truncateText } from "../../src/shared/text.ts";
import { hostileText } from "../support/hostile-text.ts";

it.each([
  ["half a pair: \ud83d", "half a pair: \ufffd"],
  ["\ude00 first", "\ufffd first"],
  ["whole 😀", "whole 😀"],
  ["\uFEFFmarked", "marked"],
  ["a\0b", "ab"],
  ["one\r\ntwo\rthree\n", "one\ntwo\nthree\n"],
])("turns %j into %j", (text, expected) => {
  expect(toWellFormedText(text)).toBe(expected);
});

it("leaves only well-formed text without NUL, byte order marks and carriage returns", () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const cleaned = toWellFormedText(text);
      expect(cleaned.isWellFormed()).toBe(true);
      expect(cleaned).not.toMatch(/[\0\r\uFEFF]/);
      expect(toWellFormedText(cleaned)).toBe(cleaned);
    }),
  );
});

it("never splits a surrogate pair", () => {
  fc.assert(
    fc.property(hostileText, fc.nat({ max: 30 }), (text, length) => {
      expect(truncateText(toWellFormedText(text), length).isWellFormed()).toBe(true);
    }),
  );
});

it("cleans the keys and strings of JSON values and returns a clean value itself", () => {
  expect(toWellFormedJson({ "k\0": ["\ud83d", 1, null, { deep: "a\r\n" }] })).toEqual({
    k: ["\ufffd", 1, null, { deep: "a\r\n" }],
  });
  const clean = { a: ["b", { c: true }] };
  expect(toWellFormedJson(clean)).toBe(clean);
});
