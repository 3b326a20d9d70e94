import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseLabel, parseLabels, parseRestLabel } from "../../../src/memory/input/parse-labels.ts";

const EXPECTED = [
  { key: "team", value: "core" },
  { key: "url", value: "a?b=c" },
];

describe("labels", () => {
  it.each([
    ["text", " team=core , url=a?b=c,"],
    ["an array of texts", ["team=core", "url = a?b=c"]],
    ["an array of pairs", [{ key: "team", value: "core" }, "url=a?b=c"]],
    ["an object", { team: "core", url: "a?b=c" }],
    ["repeated pairs", "team=core,url=a?b=c,team=core"],
  ])("reads %s", (_name, value) => {
    expect(parseLabels(value)).toEqual(EXPECTED);
  });

  it("accepts several values per key and commas inside arrays", () => {
    expect(parseLabels("a=1,a=2")).toHaveLength(2);
    expect(parseLabels(["a=1,2"])).toEqual([{ key: "a", value: "1,2" }]);
  });

  it("treats empty input as no labels", () => {
    for (const none of ["", " , ", [], {}]) expect(parseLabels(none)).toEqual([]);
  });

  it.each([
    ["team", /Write key=value/],
    ["=core", /needs a key/],
    ["team=", /has no value/],
    ["a=1,b", /"b" is not a label/],
    [[1], /must be key=value text/],
    [[{ key: "a" }], /must be strings/],
    [{ a: 1 }, /must be strings/],
    [{ "a=b": "c" }, /cannot contain "="/],
    [5, /must be comma-separated key=value pairs/],
    [null, /must be comma-separated key=value pairs/],
  ])("refuses %j", (value, message) => {
    expect(() => parseLabels(value)).toThrow(message);
  });

  it("splits at the first = or, over REST, at the first colon", () => {
    expect(parseLabel("a=b=c")).toEqual({ key: "a", value: "b=c" });
    expect(parseRestLabel("a:b:c=d")).toEqual({ key: "a", value: "b:c=d" });
    expect(() => parseRestLabel("a=b")).toThrow(/Write key:value/);
  });

  it("reads back what it writes", () => {
    const word = fc
      .string()
      .filter((text) => text.trim() === text && text !== "" && !/[=,]/.test(text));
    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(word, word), { selector: String }), (pairs) => {
        const text = pairs.map(([key, value]) => `${key}=${value}`).join(",");
        expect(parseLabels(text)).toEqual(pairs.map(([key, value]) => ({ key, value })));
      }),
    );
  });
});
