import { expect, it } from "vitest";
import { parseLooseYaml } from "../../src/shared/loose-yaml.ts";

const read = (text: string) => parseLooseYaml(text, { logLevel: "error" });

it.each([
  ["description: Use when building: clips, captions", "Use when building: clips, captions"],
  ["description: `zero search` command", "`zero search` command"],
  ["description: Triggers on: '/a:b', '/a b'", "Triggers on: '/a:b', '/a b'"],
  ["description: *Italic*", "*Italic*"],
  ["description: @team decides", "@team decides"],
  ['description: "abc "def" ghi"', '"abc "def" ghi"'],
  ["description: C:\\agent: the folder\r", "C:\\agent: the folder"],
])("reads a value that is not YAML as text: %s", (line, description) => {
  expect(read(`name: x\n${line}\ntags: [a, b]`)).toEqual({
    ...{ name: "x", description, tags: ["a", "b"] },
  });
});

it("leaves valid YAML as it is, and reports what it cannot read", () => {
  expect(read("a: >\n  one: two\nb: 'c: d'\ne: 1")).toEqual({ a: "one: two\n", b: "c: d", e: 1 });
  expect(() => read("a: [1,\n  b: }\nc: d: e")).toThrow(/at line 1|Flow/);
});
