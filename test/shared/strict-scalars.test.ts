import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseBoolean, parseInteger, parseNumber } from "../../src/shared/parse-field.ts";

describe("strict scalars", () => {
  it.each([
    "5.0",
    "0x5",
    " 5 ",
    "05",
    "+5",
    "-0",
    "",
    "1e3",
    "9007199254740993",
    "٥",
    "NaN",
    "5\n",
  ])("rejects %j as an integer", (text) => {
    expect(() => parseInteger(text, "k")).toThrow(/^k must be a whole number/);
  });

  it("reads every safe integer as it prints", () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (value) => {
        expect(parseInteger(String(value), "k")).toBe(value);
      }),
    );
  });

  it.each([
    ["0.5", 0.5],
    ["-3", -3],
    ["1e-3", 0.001],
    ["0", 0],
  ])("reads %j as a number", (text, value) => {
    expect(parseNumber(text, "min_score")).toBe(value);
  });

  it.each([".5", "5.", "0x1", "Infinity", "NaN", "1e999", "", " 1", "1,5"])(
    "rejects %j as a number",
    (text) => {
      expect(() => parseNumber(text, "min_score")).toThrow(/^min_score must be a number/);
    },
  );

  it("accepts only true and false as booleans", () => {
    expect(parseBoolean("true", "x")).toBe(true);
    expect(parseBoolean("false", "x")).toBe(false);
    for (const text of ["1", "0", "TRUE", "yes", "", " true"]) {
      expect(() => parseBoolean(text, "dry_run")).toThrow(/^dry_run must be true or false/);
    }
  });
});
