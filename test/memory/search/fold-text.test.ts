import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { foldText } from "../../../src/memory/search/fold-text.ts";
import { listWordForms } from "../../../src/memory/search/searchable-text.ts";

describe("two spellings of a word are normalized to the same form", () => {
  it.each([
    ["full width", "ＡＰＩ", "api"],
    ["half-width kana", "ｶﾞｽ", "ガス"],
    ["ligatures", "ﬁle", "file"],
    ["decomposed Hangul", "한글".normalize("NFD"), "한글"],
    ["decomposed kana", "ガス".normalize("NFD"), "ガス"],
    ["sharp s", "Straße", "STRASSE"],
    ["capital sharp s", "STRAẞE", "Straße"],
    ["final sigma", "ΟΔΟΣ", "οδος"],
    ["Greek accents", "οδός", "ΟΔΟΣ"],
    ["Arabic vowels", "كِتَابٌ", "كتاب"],
    ["Hebrew vowels", "שָׁלוֹם", "שלום"],
    ["zero-width space", "data\u200bbase", "database"],
    ["soft hyphen", "Daten\u00adbank", "datenbank"],
    ["Latin accents", "naïve café", "NAIVE CAFE"],
    ["dotted capital I", "İstanbul", "istanbul"],
    ["Russian yo", "ёлка", "елка"],
  ])("%s", (_what, a, b) => {
    expect(foldText(a)).toBe(foldText(b));
  });

  it("normalization is idempotent", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const folded = foldText(text);
        expect(foldText(folded)).toBe(folded);
      }),
    );
  });
});

it("every character by itself is folded once and for all", { tags: ["long"] }, () => {
  const unfolded: string[] = [];
  for (let code = 0; code <= 0x10ffff; code += 1) {
    const character = String.fromCodePoint(code);
    const folded = foldText(character);
    if (foldText(folded) !== folded) unfolded.push(character);
  }
  expect(unfolded).toEqual([]);
});

it("preserves marks that act as letters", () => {
  expect(foldText("हिन्दी")).toBe("हिन्दी");
  expect(foldText("น้ำ")).not.toBe(foldText("นำ"));
  expect(foldText("война")).not.toBe(foldText("воина"));
});

describe("the other forms of a text's words", () => {
  it.each([
    ["getUserById", "get User By Id"],
    ["HTTPServer", "HTTP Server"],
    ["error TS2345 again", "TS 2345"],
    ["fixed in 3a5bcb2e9f00aa11", "3a5bcb2"],
    ["Herr Müller", "mueller"],
    ["a plain sentence about nothing", ""],
  ])("of %s", (text, expected) => {
    expect(listWordForms(text)).toBe(expected);
  });
});

it.each(["\u0378", "\u{10FFFF}", "\uFDD0"])("separates words at the unassigned %j", (character) => {
  // SQLite's tokenizer treats these characters as letters, PostgreSQL's does not.
  expect(foldText(`cache${character}queue ${character} x`).split(/\s+/)).toEqual([
    "cache",
    "queue",
    "x",
  ]);
});
