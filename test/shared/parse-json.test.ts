import fc from "fast-check";
import { expect, it } from "vitest";
import { JsonSyntaxError, parseJson } from "../../src/shared/json.ts";

it("whatever JSON writes is read back", () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(parseJson(text)).toEqual(JSON.parse(text));
    }),
  );
});

it("a document that is cut off breaks at its end", () => {
  const text = '{"a": [1, {"b": "\\u0041", "c": [true, null, -1.5e3]}], "d": {}}';
  for (let length = 1; length < text.length; length += 1) {
    expect(() => parseJson(text.slice(0, length))).toThrowError(JsonSyntaxError);
  }
});

it("an inserted character that breaks a document is found at or after its place", () => {
  const text = '{"a":[1,2,{"b":"x"}],"c":true}';
  const LONGEST_TOKEN = 4;
  fc.assert(
    fc.property(fc.nat(text.length), fc.constantFrom("}", "]", ",", ":", "§", "}"), (at, mark) => {
      const broken = text.slice(0, at) + mark + text.slice(at);
      try {
        parseJson(broken);
      } catch (error) {
        expect(error).toBeInstanceOf(JsonSyntaxError);
        const { column } = error as JsonSyntaxError;
        expect(column).toBeGreaterThan(at - LONGEST_TOKEN);
        expect(column).toBeLessThanOrEqual(broken.length + 1);
      }
    }),
  );
});

it.each([
  ["[1,]", 1, 4],
  ['{"a" 1}', 1, 6],
  ["{\n  'a': 1\n}", 2, 3],
  ["", 1, 1],
  ["[1] 2", 1, 5],
  ["[01]", 1, 2],
  ['"a\nb"', 1, 1],
  ["{1:2}", 1, 2],
])("%j breaks at line %i, column %i", (text, line, column) => {
  expect(() => parseJson(text)).toThrowError(expect.objectContaining({ line, column }));
});

it("a byte order mark is forgiven", () => {
  expect(parseJson('\uFEFF{"a":1}')).toEqual({ a: 1 });
});
