import { describe, expect, it } from "vitest";
import { parseList } from "../../src/shared/parse-field.ts";

describe("lists", () => {
  it("reads comma-separated text and arrays alike", () => {
    expect(parseList(" ep:1,ep:2 ,, ", "ids")).toEqual(["ep:1", "ep:2"]);
    expect(parseList([" ep:1", "", "ep:2"], "ids")).toEqual(["ep:1", "ep:2"]);
    expect(parseList("", "ids")).toEqual([]);
  });

  it("keeps commas inside items of an array", () => {
    expect(parseList(["a, b"], "tags")).toEqual(["a, b"]);
  });

  it.each([
    [[1], /^ids\[0\] must be a string/],
    [5, /^ids must be/],
    [null, /^ids must be/],
    [{}, /^ids must be/],
  ])("refuses %j", (value, message) => {
    expect(() => parseList(value, "ids")).toThrow(message);
  });
});
