import fc from "fast-check";
import { expect, it } from "vitest";
import { hasLargerObject, JsonSyntaxError, parseJson } from "../../src/shared/json.ts";

it("round-trips JSON", () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(parseJson(text)).toEqual(JSON.parse(text));
    }),
  );
});

it("reports the end of a truncated document", () => {
  const text = '{"a": [1, {"b": "\\u0041", "c": [true, null, -1.5e3]}], "d": {}}';
  for (let length = 1; length < text.length; length += 1) {
    expect(() => parseJson(text.slice(0, length))).toThrowError(JsonSyntaxError);
  }
});

it("reports an invalid character at or after its position", () => {
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
])("%j is invalid at line %i, column %i", (text, line, column) => {
  expect(() => parseJson(text)).toThrowError(expect.objectContaining({ line, column }));
});

it("ignores a byte order mark", () => {
  expect(parseJson('\uFEFF{"a":1}')).toEqual({ a: 1 });
});

it("reports the position after a long string", () => {
  const text = `{"a": "${"x".repeat(9_000_000)}" !}`;
  expect(() => parseJson(text)).toThrowError(`unexpected "!" at line 1, column ${text.length - 1}`);
});

it("counts the keys of the largest object as JSON.parse does", () => {
  const largest = (value: unknown): number =>
    typeof value !== "object" || value === null
      ? 0
      : Math.max(
          Array.isArray(value) ? 0 : Object.keys(value).length,
          ...Object.values(value).map(largest),
        );
  const keys = fc.constantFrom('"', "\\", ":", "a", '\\"', "{", "}", "]", "b", "");
  const { json } = fc.letrec<{ json: unknown }>((tie) => ({
    json: fc.oneof({ maxDepth: 4 }, keys, fc.array(tie("json")), fc.dictionary(keys, tie("json"))),
  }));
  fc.assert(
    fc.property(json, fc.nat(8), (value, most) => {
      expect(hasLargerObject(JSON.stringify(value), most)).toBe(largest(value) > most);
    }),
  );
});
