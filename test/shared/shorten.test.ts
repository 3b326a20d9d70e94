import fc from "fast-check";
import { expect, it } from "vitest";
import { cutLine, shorten, shortenLine, truncateText } from "../../src/shared/text.ts";

const FAMILY = "👩‍👩‍👧‍👦";

it.each([
  ["short", 10, "short"],
  ["exactly ten", 11, "exactly ten"],
  ["more than ten", 10, "more than…"],
  ["😀😀😀😀", 4, "😀😀😀😀"],
  ["😀😀😀😀", 3, "😀😀…"],
  [`ab${FAMILY}cd`, 6, "ab…"],
  ["cafe\u0301s are open", 5, "caf…"],
  ["", 3, ""],
])("shortens %j to %i characters: %j", (text, most, expected) => {
  expect(shorten(text, most)).toBe(expected);
});

it("splits a cluster longer than the limit, but never a code point", () => {
  expect(truncateText(`a${"\u0301".repeat(500)}`, 3)).toBe("a\u0301\u0301");
});

it("marks a truncated line without splitting characters", () => {
  expect(cutLine("abc", 3)).toBe("abc");
  expect(cutLine("abcd", 3)).toBe("abc[… cut]");
  expect(cutLine("😀😀😀", 2)).toBe("😀😀[… cut]");
});

it("joins lines", () => {
  expect(shortenLine("  one\n\ttwo  three ", 9)).toBe("one two …");
});

it("is a well-formed prefix within the limit", () => {
  const texts = fc.string({ unit: "grapheme", maxLength: 60 });
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 40 }), (text, most) => {
      const output = shorten(text, most);
      expect([...output].length).toBeLessThanOrEqual(most);
      expect(output === text || text.startsWith(output.slice(0, -1))).toBe(true);
      expect(Buffer.from(output).toString()).toBe(output);
    }),
  );
});
