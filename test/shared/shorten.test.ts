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

it("cuts a sign that is longer than all that is wanted, and never half a character", () => {
  expect(truncateText(`a${"\u0301".repeat(500)}`, 3)).toBe("a\u0301\u0301");
});

it("says of a line where it was cut, and cuts no character in two", () => {
  expect(cutLine("abc", 3)).toBe("abc");
  expect(cutLine("abcd", 3)).toBe("abc[… cut]");
  expect(cutLine("😀😀😀", 2)).toBe("😀😀[… cut]");
});

it("brings a text onto one line", () => {
  expect(shortenLine("  one\n\ttwo  three ", 9)).toBe("one two …");
});

it("is never longer than asked, a beginning of the text, and well-formed", () => {
  const texts = fc.string({ unit: "grapheme", maxLength: 60 });
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 40 }), (text, most) => {
      const shown = shorten(text, most);
      expect([...shown].length).toBeLessThanOrEqual(most);
      expect(shown === text || text.startsWith(shown.slice(0, -1))).toBe(true);
      expect(Buffer.from(shown).toString()).toBe(shown);
    }),
  );
});
