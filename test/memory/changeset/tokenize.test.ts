import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tokenizeSync } from "../../support/run-to-end.ts";

const words = (text: string) =>
  tokenizeSync(text).map((op) => op.tokens.map((token) => token.value));
const firstOp = (text: string) => tokenizeSync(text)[0]?.tokens ?? [];

describe("ops and lines", () => {
  it("reads one op a line and counts physical lines from 1", () => {
    const ops = tokenizeSync("# head\n\ndelete id=ep:1\n  restore id=ep:1\n");
    expect(ops.map((op) => [op.line, op.tokens.length])).toEqual([
      [3, 2],
      [4, 2],
    ]);
  });

  it("ignores a byte order mark and carriage returns outside quotes", () => {
    expect(words("\uFEFFdelete id=ep:1\r\n\r\nstats\r\n")).toEqual([
      ["delete", "id=ep:1"],
      ["stats"],
    ]);
  });

  it("lets quoted text span lines and keeps counting", () => {
    const ops = tokenizeSync('remember "one\n# two\n" t=fact\ndelete id=ep:1');
    expect(ops.map((op) => op.line)).toEqual([1, 4]);
    expect(ops[0]?.tokens[1]).toMatchObject({ value: "one\n# two\n", line: 1 });
    expect(ops[0]?.tokens[2]?.line).toBe(3);
  });

  it("takes # for a comment only where an op would start", () => {
    expect(words("remember #1 a#b\n# delete id=ep:1\n  # indented")).toEqual([
      ["remember", "#1", "a#b"],
    ]);
  });

  it("returns no ops for empty text", () => {
    expect(tokenizeSync("")).toEqual([]);
    expect(tokenizeSync(" \r\n\t\n# only a comment")).toEqual([]);
  });
});

describe("quoting", () => {
  it("reads \\n and \\\\ inside double quotes and leaves other escapes alone", () => {
    expect(words(String.raw`a "x\ny" "c:\\new" "\t\$\"" 'x\n'`)).toEqual([
      ["a", "x\ny", "c:\\new", '\\t\\$"', "x\\n"],
    ]);
  });

  it("joins parts that touch, and keeps empty quotes as a word", () => {
    expect(words(`a "b"'c'd ""`)).toEqual([["a", "bcd", ""]]);
  });

  it.each([
    [`"TTL=600"`, true],
    [`'it'"'"'s'`, true],
    [String.raw`'it'\''s'`, true],
    [`""`, true],
    ["word", false],
    [`"a"b`, false],
    [`key="quoted value"`, false],
    [String.raw`\"a`, false],
    [String.raw`\a`, false],
  ])("knows whether %s is quoted as a whole", (text, quoted) => {
    expect(firstOp(text)[0]?.quoted).toBe(quoted);
  });

  it.each([
    [`title="a = b"`, "title"],
    ["t=fact", "t"],
    ["e=", "e"],
    [`"TTL=600"`, undefined],
    [`"t"=fact`, undefined],
    [String.raw`t\=fact`, undefined],
    ["https://example.org/?a=b", undefined],
    ["=x", undefined],
  ])("finds the key of %s", (text, key) => {
    expect(firstOp(text)[0]?.key).toBe(key);
  });
});

describe("text that cannot be read", () => {
  it("names the line on which an unclosed quote opened", () => {
    const ops = tokenizeSync('delete id=ep:1\nremember t=fact\\ "ok" \'don\nelse\n');
    expect(ops[1]?.issue).toMatchObject({
      op_index: 1,
      line: 2,
      op: "remember",
      code: "invalid_input",
    });
    expect(ops[1]?.issue?.message).toContain("opens on line 2");
  });

  it.each(["delete id=ep:1 \\\nid=2", "delete \\\r\nid=2", "delete \\"])(
    "refuses a backslash at the end of the line: %j",
    (text) => {
      expect(tokenizeSync(text)[0]?.issue?.message).toContain("backslash");
    },
  );

  it("goes on with the next line after a dangling backslash", () => {
    expect(tokenizeSync("delete \\\nstats").map((op) => op.tokens[0]?.value)).toEqual([
      "delete",
      "stats",
    ]);
  });
});

describe("against writers and Python's shlex", () => {
  const doubleQuoted = (value: string) =>
    `"${value.replace(/[\\"]/g, "\\$&").replace(/\n/g, "\\n")}"`;
  const rawDoubleQuoted = (value: string) => `"${value.replace(/[\\"]/g, "\\$&")}"`;
  const singleQuoted = (value: string) => `'${value.replaceAll("'", `'"'"'`)}'`;
  const anyText = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: fc.constantFrom(..."ab \t\r\n\\\"'=#$n,:") }),
  );

  it.each([
    ["double quotes", doubleQuoted],
    ["double quotes with line breaks", rawDoubleQuoted],
    ["single quotes", singleQuoted],
  ])("reads back any text written in %s", (_name, write) => {
    fc.assert(
      fc.property(fc.array(anyText, { minLength: 1 }), (values) => {
        const [op, ...others] = tokenizeSync(`x ${values.map(write).join(" ")}`);
        expect(others).toEqual([]);
        expect(op?.tokens.slice(1).map((token) => token.value)).toEqual(values);
        expect(op?.tokens.slice(1).every((token) => token.quoted)).toBe(true);
      }),
    );
  });

  it("never throws, and every op starts on a line of the text", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const lines = text.split("\n").length;
        for (const op of tokenizeSync(text)) {
          expect(op.line).toBeGreaterThan(0);
          expect(op.line).toBeLessThanOrEqual(lines);
          expect(op.tokens.length + (op.issue ? 1 : 0)).toBeGreaterThan(0);
        }
      }),
    );
  });

  const python = spawnSync("python3", ["--version"]);
  it.skipIf(python.status !== 0)("splits single lines as shlex does", () => {
    // The languages differ on `\n` inside double quotes, so no case contains an n.
    const unit = fc.constantFrom(..."abc \t\\\"'=#$é,");
    const line = fc.string({ unit, maxLength: 24 }).map((rest) => `x${rest}`);
    const lines = fc.sample(line, { numRuns: 5000, seed: 20 });
    const script = `
import json, shlex, sys
def split(line):
    try: return shlex.split(line, comments=False, posix=True)
    except ValueError: return None
print(json.dumps([split(line) for line in json.load(sys.stdin)]))`;
    const oracle = spawnSync("python3", ["-c", script], { input: JSON.stringify(lines) });
    expect(oracle.stderr.toString()).toBe("");
    const ours = lines.map((text) => {
      const op = tokenizeSync(text)[0];
      return op?.issue ? null : op?.tokens.map((token) => token.value);
    });
    expect(ours).toEqual(JSON.parse(oracle.stdout.toString()));
    expect(ours.filter((result) => result !== null).length).toBeGreaterThan(1000);
  });
});
