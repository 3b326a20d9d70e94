import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type ChangesetPart,
  type PartSize,
  splitChangeset,
} from "../../../src/memory/changeset/split-changeset.ts";
import { parseChangesetSync, tokenizeSync } from "../../support/run-to-end.ts";
import { forms } from "./forms.ts";

const NO_LIMIT = Number.MAX_SAFE_INTEGER;

async function partsOf(chunks: readonly string[], size: PartSize) {
  async function* given() {
    yield* chunks;
  }
  const parts: ChangesetPart[] = [];
  for await (const part of splitChangeset(given(), size)) parts.push(part);
  return parts;
}

function inChunks(text: string, length: number): string[] {
  const chunks: string[] = [];
  for (let at = 0; at < text.length; at += length) chunks.push(text.slice(at, at + length));
  return chunks;
}

async function parsedInParts(text: string, { ops, chunk }: { ops: number; chunk: number }) {
  const parts = await partsOf(inChunks(text, chunk), { ops, chars: NO_LIMIT });
  const names = new Set<string>();
  return parts.flatMap((part) => {
    const start = { op: part.firstOp, line: part.firstLine, names: new Set(names) };
    const parsed = parseChangesetSync(part.text, forms, start);
    for (const { as } of parsed.ops) if (as !== undefined) names.add(as);
    return parsed;
  });
}

const sizes = fc.record({
  ops: fc.integer({ min: 1, max: 4 }),
  chunk: fc.integer({ min: 1, max: 9 }),
});

describe("a split changeset", () => {
  it("has the same ops at the same lines as the whole, in the compact form", async () => {
    const piece = fc.constantFrom(
      "remember ",
      "delete ep:1",
      "\n",
      "\r\n",
      '"',
      "'",
      "\\",
      "#",
      " ",
      "as=a ",
      "words ",
      "\u00a0",
      "é🙂",
    );
    const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(""));
    await fc.assert(
      fc.asyncProperty(text, sizes, async (written, { ops, chunk }) => {
        fc.pre(!/^\s*[[{]/.test(written));
        const parts = await partsOf(inChunks(written, chunk), { ops, chars: NO_LIMIT });
        const whole = tokenizeSync(written);
        const read = parts.flatMap((part) =>
          tokenizeSync(part.text, { op: part.firstOp, line: part.firstLine, names: new Set() }),
        );
        expect(read).toEqual(whole);
        expect(parts.reduce((sum, part) => sum + part.ops, 0)).toBe(whole.length);
        for (const part of parts.slice(0, -1)) expect(part.ops).toBe(ops);
      }),
      { numRuns: 500 },
    );
  });

  it("has the same ops at the same lines as the whole, as JSON", async () => {
    const content = fc.constantFrom('a "quoted" [word]', "two\nlines", "a, b: {c}", "\\", "🙂");
    const op = fc.record({
      op: fc.constant("remember"),
      content,
      e: fc.constant(["tool:git", "a:b"]),
    });
    const space = fc.constantFrom("", " ", "\n", "\n\n  ");
    const written = fc
      .tuple(fc.array(op, { minLength: 1, maxLength: 7 }), space, space, fc.boolean())
      .map(([ops, before, between, isArray]) => {
        const items = ops.map((each) => JSON.stringify(each)).join(`${between},${before}`);
        return isArray ? `${before}[${between}${items}${before}]${between}` : items;
      });
    await fc.assert(
      fc.asyncProperty(written, sizes, async (text, size) => {
        const whole = parseChangesetSync(text, forms);
        const parts = await parsedInParts(text, size);
        expect(parts.flatMap(({ ops }) => ops)).toEqual(whole.ops);
        expect(parts.flatMap(({ issues }) => issues)).toEqual(whole.issues);
      }),
      { numRuns: 300 },
    );
  });

  it("passes array syntax errors through to the parser", async () => {
    const one = '{"op": "delete", "id": "ep:1"}';
    for (const text of [`[${one}, ${one},]`, `[${one}, ${one}`, `[${one}] tail`, `{"op": `]) {
      const parts = await parsedInParts(text, { ops: 1, chunk: 5 });
      expect(
        parts.flatMap(({ issues }) => issues),
        text,
      ).not.toEqual([]);
    }
  });

  it("ends a part at the op that reaches its most characters", async () => {
    const text = 'remember "one"\n'.repeat(10);
    const parts = await partsOf([text], { ops: NO_LIMIT, chars: 40 });
    expect(parts.map(({ ops }) => ops)).toEqual([3, 3, 3, 1]);
    expect(parts.map(({ firstLine }) => firstLine)).toEqual([1, 4, 7, 10]);
  });

  it("recognizes names of earlier parts and rejects duplicates", () => {
    const start = { op: 4, line: 9, names: new Set(["a"]) };
    const parsed = parseChangesetSync(
      'remember "x" depends_on=$a\nremember as=a "y"\nremember depends_on=$b "z"',
      forms,
      start,
    );
    expect(parsed.issues).toMatchObject([
      {
        op_index: 5,
        line: 10,
        message: expect.stringContaining("already declared by an earlier op"),
      },
      { op_index: 6, line: 11, message: expect.stringContaining("$b is not declared") },
    ]);
  });
});
