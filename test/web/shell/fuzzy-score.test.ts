import { describe, expect, it } from "vitest";
import { fuzzyScore } from "../../../src/web/shell/fuzzy-score.ts";

describe("fuzzyScore", () => {
  it("finds words with missing letters", () => {
    expect(fuzzyScore("timline", "Show the timeline")).toBeGreaterThan(0);
    expect(fuzzyScore("dtabse", "Databases")).toBeGreaterThan(0);
  });

  it("rejects text that lacks one of the words", () => {
    expect(fuzzyScore("theme purple", "Theme: dark")).toBe(0);
    expect(fuzzyScore("xyz", "Theme: dark")).toBe(0);
  });

  it("ranks words above beginnings inside words above scattered letters", () => {
    const scores = ["dark", "endarken", "database key rank"].map((text) =>
      fuzzyScore("dark", text),
    );
    expect(scores[0]).toBeGreaterThan(scores[1] ?? 0);
    expect(scores[1]).toBeGreaterThan(scores[2] ?? 0);
  });
});
