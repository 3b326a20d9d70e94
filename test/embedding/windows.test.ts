import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_WINDOWS, textWindows, windowBounds } from "../../src/embedding/windows.ts";

describe("windows", () => {
  it("cover every item once within their size, up to the maximum number", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 254 * MAX_WINDOWS }), (length) => {
        const bounds = windowBounds(length, 254);
        expect(bounds[0]?.[0]).toBe(0);
        expect(bounds.at(-1)?.[1]).toBe(length);
        bounds.forEach(([start, end], i) => {
          expect(end - start).toBeGreaterThan(0);
          expect(end - start).toBeLessThanOrEqual(254);
          if (i > 0) expect(start).toBe(bounds[i - 1]?.[1]);
        });
      }),
    );
  });

  it("beyond the cap reach from the start to the end in order", () => {
    fc.assert(
      fc.property(fc.integer({ min: 254 * MAX_WINDOWS + 1, max: 1_000_000 }), (length) => {
        const bounds = windowBounds(length, 254);
        expect(bounds).toHaveLength(MAX_WINDOWS);
        expect(bounds[0]?.[0]).toBe(0);
        expect(bounds.at(-1)?.[1]).toBe(length);
        for (let i = 1; i < bounds.length; i++) {
          expect(bounds[i]?.[0]).toBeGreaterThanOrEqual(bounds[i - 1]?.[1] ?? 0);
        }
      }),
    );
  });

  it("of a text join to the text, whole characters each", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (text) => {
        const windows = textWindows(text, 64);
        expect(windows.length).toBeLessThanOrEqual(MAX_WINDOWS);
        expect(windows.join("")).toBe(text);
        for (const window of windows) expect(Buffer.byteLength(window)).toBeLessThanOrEqual(64);
      }),
    );
  });

  it("of an empty text are one", () => {
    expect(windowBounds(0, 254)).toEqual([[0, 0]]);
    expect(textWindows("", 64)).toEqual([""]);
  });
});
