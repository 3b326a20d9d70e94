import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseChangeset } from "../../../src/memory/changeset/parse-changeset.ts";
import { parseCompactSync } from "../../support/run-to-end.ts";
import { forms } from "./forms.ts";

const args = (text: string) => {
  const { ops, issues } = parseCompactSync(text, forms);
  expect(issues).toEqual([]);
  return ops[0]?.args;
};
const messages = (text: string) =>
  parseCompactSync(text, forms).issues.map((issue) => issue.message);

describe("compact ops", () => {
  it("turns short keys into fields and takes the last quoted word for the text", () => {
    const { ops } = parseCompactSync(
      'remember as=a t=fact e=person:ada,tool:git by=user ref="https://x.org/?a=b" "Ada uses git"',
      forms,
    );
    expect(ops).toEqual([
      {
        opIndex: 0,
        line: 1,
        op: "remember",
        as: "a",
        args: {
          episode_type: "fact",
          entities: ["person:ada", "tool:git"],
          asserted_by: "user",
          source_ref: "https://x.org/?a=b",
          content: "Ada uses git",
        },
      },
    ]);
  });

  it.each(["TTL=600", "$100", "t=fact", "as=x", "#1", ""])(
    "takes a quoted %j for content",
    (text) => {
      expect(args(`remember t=outcome "${text}"`)?.content).toBe(text);
      expect(args(`remember t=outcome '${text}'`)?.content).toBe(text);
    },
  );

  it("accepts long names, quoted values and quoted pairs", () => {
    expect(
      args('remember episode_type="fact" entities=tool:git "labels=a=b c" content="x = y"'),
    ).toEqual({ episode_type: "fact", entities: ["tool:git"], labels: "a=b c", content: "x = y" });
  });

  it("reads a single word as the text or, for some ops, as the id", () => {
    expect(args("remember hello")).toEqual({ content: "hello" });
    expect(args("delete ep:3")).toEqual({ id: "ep:3" });
    expect(args('resolve conflict:1 winner=fact:a "newer source"')).toEqual({
      id: "conflict:1",
      winner: "fact:a",
      note: "newer source",
    });
    expect(args("resolve id=conflict:1 winner=fact:a newer")?.note).toBe("newer");
    expect(args('resolve id=conflict:1 winner=fact:a "newer"')?.note).toBe("newer");
  });

  it("accepts arbitrary fields of update, converted by type", () => {
    expect(args("update ep:3 priority=p1 confidence=0.9 labels=")).toEqual({
      id: "ep:3",
      priority: "p1",
      confidence: 0.9,
      labels: "",
    });
  });

  it("reads numbers, booleans and JSON", () => {
    expect(args("processed all=true limit=5 ids=ep:1,ep:2")).toEqual({
      all: true,
      limit: 5,
      ids: "ep:1,ep:2",
    });
    expect(args(`concept relations='[{"type":"implies"}]' from=ep:1 title=T`)?.relations).toEqual([
      { type: "implies" },
    ]);
  });
});

describe("invalid ops", () => {
  it.each([
    ["remember hello world", /Too many words without a key: "world"/],
    ['remember hello "world"', /Too many words/],
    ["delete ep:1 ep:2", /Too many words/],
    ["resolve conflict:1 fact:2", /Too many words/],
    ["processed ep:1", /processed takes no text: "ep:1"/],
    ["remember t=fact t=fact x", /"t" is given twice/],
    [
      "remember t=fact episode_type=fact x",
      /episode_type is given twice, by t and by episode_type/,
    ],
    ["supersede old=a new=b note=x reason=y", /note is given twice, by note and by reason/],
    ['remember content=a "b"', /content is given twice, by content and by the text/],
    ["remember as=a as=b x", /"as" is given twice/],
    ["remember as=$a x", /as must be a name/],
    ["remember typ=fact x", /remember has no key "typ"/],
    ["supersede ol=fact:a new=fact:b", /no key "ol".*Did you mean "old"/],
    ["delete as=x ep:1", /delete has no key "as"/],
    ["rember x", /Unknown op "rember".*Did you mean "remember"/],
    ["concept confidence=.5 x", /confidence must be a number/],
    ["processed limit=5.0", /limit must be a whole number/],
    ["concept relations=[ x", /relations must be JSON/],
    ["remember 't=fact", /opens on line 1/],
    ["remember constructor=1 x", /no key "constructor"/],
    ["__proto__ x", /Unknown op "__proto__"/],
    ['remember {"content":"A"}', /For JSON, write \{"op": "remember", …\}/],
  ])("%s", (text, message) => {
    expect(messages(text)).toEqual([expect.stringMatching(message)]);
  });

  it("reports all issues with their lines", () => {
    const text = "# head\nnope x\nremember zz=1 yy=2 ok\n\ndelete ep:1\nremember 'x";
    const { ops, issues } = parseCompactSync(text, forms);
    expect(issues.map(({ op_index, line, op, code }) => [op_index, line, op, code])).toEqual([
      [0, 2, "nope", "invalid_input"],
      [1, 3, "remember", "invalid_input"],
      [1, 3, "remember", "invalid_input"],
      [3, 6, "remember", "invalid_input"],
    ]);
    expect(ops.map((op) => op.opIndex)).toEqual([1, 2]);
  });

  it("keeps messages short whatever was written", () => {
    expect(messages(`remember a ${"x".repeat(10_000)}`)[0]?.length).toBeLessThan(300);
  });
});

describe("round trips", () => {
  const quote = (text: string) => `"${text.replace(/[\\"]/g, "\\$&").replace(/\n/g, "\\n")}"`;
  const text = fc.string({ unit: "binary" });

  it("round-trips any content, key values and line numbers", () => {
    const op = fc.record({ content: text, asserted_by: text, source_ref: text });
    fc.assert(
      fc.property(fc.array(op), (written) => {
        const lines = written.map(
          (one) =>
            `remember by=${quote(one.asserted_by)} ref=${quote(one.source_ref)} ${quote(one.content)}`,
        );
        const { ops, issues } = parseCompactSync(lines.join("\r\n"), forms);
        expect(issues).toEqual([]);
        expect(ops.map((parsed) => parsed.args)).toEqual(written);
        expect(ops.map((parsed) => parsed.line)).toEqual(written.map((_one, index) => index + 1));
      }),
    );
  });

  it("never throws for any text", () => {
    const unit = fc.constantFrom(
      "remember ",
      "delete ",
      "t=",
      '"',
      "'",
      "\\",
      "\n",
      "x",
      "=",
      "$a ",
    );
    fc.assert(
      fc.property(fc.string({ unit }), (any) => {
        const { ops, issues } = parseCompactSync(any, forms);
        expect(ops.length + issues.length > 0).toBe(/[^\s]/.test(any));
      }),
    );
  });
});

it("a changeset of either form pauses after each op", () => {
  const lines = Array.from({ length: 50 }, (_, n) => `remember "note ${n}"`).join("\n");
  const ops = Array.from({ length: 50 }, (_, n) => ({ op: "remember", content: `note ${n}` }));
  for (const text of [lines, JSON.stringify(ops)]) {
    expect([...parseChangeset(text, forms)].length).toBeGreaterThanOrEqual(50);
  }
});
