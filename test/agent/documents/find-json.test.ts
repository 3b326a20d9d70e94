import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fencedBlocks, findJson } from "../../../src/agent/documents/find-json.ts";

const first = (text: string) => findJson(text).next().value;

describe("findJson", () => {
  it("finds any object, whatever surrounds it", () => {
    const dressed = fc.constantFrom(
      (json: string) => json,
      (json: string) => `Here it is:\n\n\`\`\`json\n${json}\n\`\`\`\nDone.`,
      (json: string) => `~~~\n${json}\n~~~`,
      (json: string) => `The draft is ${json} as you asked.`,
      (json: string) => `\uFEFF\n\n${json}\r\n`,
    );
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.array(fc.string()))),
        dressed,
        fc.constantFrom(undefined, 2),
        (object, dress, indent) => {
          // Compared with `JSON.parse`, because JSON cannot carry every value (-0, a `__proto__`
          // key).
          const json = JSON.stringify(object, null, indent);
          expect(first(dress(json))).toEqual(JSON.parse(json));
        },
      ),
    );
  });

  it("broken brackets before the object do not hide it", () => {
    expect(first('see {this} and [that: {"name": "x"}')).toEqual({ name: "x" });
  });

  it("brackets inside strings do not end the object", () => {
    expect(first('so: {"a": "}]\\"{", "b": 1} ok')).toEqual({ a: '}]"{', b: 1 });
  });

  it("returns nothing for text without an object", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect([...findJson(text.replace(/[{[]/g, ""))]).toEqual([]);
      }),
    );
  });

  it("parses a hostile response of open brackets quickly", () => {
    const started = performance.now();
    expect([...findJson("[{".repeat(100_000))]).toEqual([]);
    expect(performance.now() - started).toBeLessThan(30_000);
  });
});

describe("fencedBlocks", () => {
  it("a block that is never closed reaches to the end", () => {
    expect(fencedBlocks("x\n```json\n{\n}")).toEqual(["{\n}"]);
  });

  it("parses a hostile response of open fences quickly", () => {
    const started = performance.now();
    expect(fencedBlocks("```a\n".repeat(200_000))).toHaveLength(1);
    expect(performance.now() - started).toBeLessThan(30_000);
  });

  it("accepts a shorter fence inside a longer one", () => {
    expect(fencedBlocks("````\na\n```\nb\n```\n````\n")).toEqual(["a\n```\nb\n```"]);
  });
});
