import fc from "fast-check";
import { expect, it } from "vitest";
import { fromStoredText, toStoredText } from "../../../src/database/postgres/statement-stream.ts";

const letters = fc.constantFrom("\0", "\u{10FFFF}", "0", "1", "a", "😀");

it("round-trips any text and stores no NUL", () => {
  fc.assert(
    fc.property(fc.array(letters), (parts) => {
      const text = parts.join("");
      const stored = toStoredText(text);
      expect(stored).not.toContain("\0");
      expect(fromStoredText(stored)).toBe(text);
    }),
  );
});
