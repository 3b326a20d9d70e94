import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseCompactSync, parseJsonSync } from "../../support/run-to-end.ts";
import { createTestMemory } from "../../support/test-memory.ts";
import { forms } from "./forms.ts";

const parse = (text: string) => parseJsonSync(text, forms);

describe("the JSON form", () => {
  it("takes the same keys as the compact form and keeps JSON types", () => {
    const text = `[
      {"op": "remember", "as": "a", "t": "fact", "e": ["person:ada", "tool:git"], "content": "x"},

      {"op": "concept", "title": "[T]", "from": "$a, ep:2",
       "confidence": 0.5, "relations": [{"type": "implies", "target_id": "c1"}]}
    ]`;
    const { ops, issues } = parse(text);
    expect(issues).toEqual([]);
    expect(ops).toEqual([
      {
        opIndex: 0,
        line: 2,
        op: "remember",
        as: "a",
        args: { episode_type: "fact", entities: ["person:ada", "tool:git"], content: "x" },
      },
      {
        opIndex: 1,
        line: 4,
        op: "concept",
        args: {
          title: "[T]",
          from: ["$a", "ep:2"],
          confidence: 0.5,
          relations: [{ type: "implies", target_id: "c1" }],
        },
      },
    ]);
  });

  it("leaves values of the wrong type to the operation's schema", () => {
    expect(parse('[{"op":"processed","limit":"5","ids":null}]').ops[0]?.args).toEqual({
      limit: "5",
      ids: null,
    });
  });

  it("accepts an empty array, line breaks of Windows and a byte order mark", () => {
    expect(parse("[]")).toEqual({ ops: [], issues: [] });
    expect(
      parse('\uFEFF[\r\n{"op":"delete",\r\n"id":"ep:1"},\r\n{"op":"delete","id":"ep:2"}]').ops,
    ).toMatchObject([{ line: 2 }, { line: 4 }]);
  });

  it.each([
    ['[{"op":"delete","id":"ep:1"},]', 1, /Broken JSON/],
    ['[\n{"op":"delete","id":"ep:1",}\n]', 2, /Broken JSON/],
    ['[\n{"op":"delete",\n', 3, /Broken JSON/],
    ['[\n"delete ep:1"]', 2, /An op is an object/],
    ["[null]", 1, /An op is an object/],
    ["[\n\n[]]", 3, /An op is an object/],
    ['[{"id":"ep:1"}]', 1, /needs its name/],
    ['[{"op":5}]', 1, /needs its name/],
    ['[{"op":"delte","id":"ep:1"}]', 1, /Unknown op "delte"\. Did you mean "delete"/],
    ['[{"op":"delete","idd":"ep:1"}]', 1, /no key "idd".*Did you mean "id"/],
    ['[{"op":"delete","id":"ep:1","i\\u0064":"ep:2"}]', 1, /"id" is given twice/],
    ['[{"op":"remember","t":"fact","episode_type":"fact","content":"x"}]', 1, /given twice, by t/],
    ['[{"op":"remember","as":"$a","content":"x"}]', 1, /as must be a name/],
    ['[{"op":"remember","as":5,"content":"x"}]', 1, /as must be a name/],
    ['[{"op":"delete","__proto__":{"id":"ep:1"}}]', 1, /no key "__proto__"/],
  ])("%s", (text, line, message) => {
    const { issues } = parse(text);
    expect(issues).toEqual([
      expect.objectContaining({
        line,
        message: expect.stringMatching(message),
        code: "invalid_input",
      }),
    ]);
  });

  it("accepts a single object", async () => {
    await using t = createTestMemory();
    const changeset = ' {"op": "remember", "content": "one"}';
    expect((await t.call("apply", { changeset })).results).toHaveLength(1);
  });

  it("does not mistake keys of nested objects for repeated keys", () => {
    const nested =
      '[{"op":"update","id":"ep:1","metadata":{"id":1,"op":{"id":2}},"x":"\\"id\\":"}]';
    expect(parse(nested).issues).toEqual([]);
  });

  it("finds each object's line for any layout", () => {
    const tricky = fc.string({ unit: fc.constantFrom(...'a{}[],:\\"\n ') });
    const op = fc.record({ content: tricky, by: tricky });
    fc.assert(
      fc.property(fc.array(op), fc.constantFrom(0, 1, 2), (written, indent) => {
        const text = JSON.stringify(
          written.map((one) => ({ op: "remember", ...one })),
          null,
          indent,
        );
        const { ops, issues } = parse(text);
        expect(issues).toEqual([]);
        expect(ops.map((parsed) => parsed.args)).toEqual(
          written.map(({ content, by }) => ({ content, asserted_by: by })),
        );
        const lines = written.map((_one, index) => (indent === 0 ? 1 : 2 + index * 5));
        expect(ops.map((parsed) => parsed.line)).toEqual(lines);
      }),
    );
  });

  it("agrees with the compact form", () => {
    const compact = parseCompactSync(
      "remember as=a e=tool:git,file:x t=fact 'c'\ndelete id=$a",
      forms,
    );
    const json = parse(
      '[{"op":"remember","as":"a","e":["tool:git","file:x"],"t":"fact","content":"c"},\n{"op":"delete","id":"$a"}]',
    );
    expect(json).toEqual(compact);
  });
});
