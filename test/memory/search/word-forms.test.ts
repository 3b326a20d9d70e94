import { expect, it } from "vitest";
import { foldText } from "../../../src/memory/search/fold-text.ts";
import { listWordForms } from "../../../src/memory/search/searchable-text.ts";

// Regression: lookahead and lookbehind over the whole text took minutes here.
it("reads a megabyte without a border, of marks or of one word", () => {
  const long = 1024 * 1024;
  expect(listWordForms("y".repeat(long))).toBe("");
  expect(listWordForms("aB".repeat(long / 2))).toBe("");
  expect(foldText(`a${"\u0301".repeat(long)}`)).toBe("a");
});

it("returns parts of identifiers, short hashes and transliterated umlauts", () => {
  expect(listWordForms("getUserById TS2345 Müller deadbeef12")).toBe(
    "get User By Id TS 2345 deadbee mueller",
  );
});
