import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { escapeHidden } from "../../src/shared/json.ts";

describe("JSON that is shown", () => {
  it("parses to the same value", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(JSON.parse(escapeHidden({ text }))).toEqual({ text });
      }),
    );
  });

  it("contains no control or invisible characters", () => {
    const text = "a\u009b2J\u202e\u200b\u{e0041}\ufeff";
    expect(escapeHidden(text)).toBe('"a\\u009b2J\\u202e\\u200b\\udb40\\udc41\\ufeff"');
  });
});
