import { describe, expect, it } from "vitest";
import { drawRecall } from "../../../src/tui/memory/draw-recall.ts";
import { ageOf, toRecallView } from "../../../src/tui/memory/recall-view.ts";
import { paintLine } from "../../../src/tui/text/style.ts";

const NOW = new Date("2026-06-15T12:00:00.000Z");

describe("ageOf", () => {
  it.each([
    ["2026-06-15T11:59:30.000Z", "just now"],
    ["2026-06-15T11:55:00.000Z", "5 min ago"],
    ["2026-06-15T09:00:00.000Z", "3 h ago"],
    ["2026-06-14T11:00:00.000Z", "1 day ago"],
    ["2026-06-01T12:00:00.000Z", "14 days ago"],
    ["2026-02-10T12:00:00.000Z", "4 months ago"],
    ["2020-06-01T12:00:00.000Z", "6 years ago"],
    ["no time", ""],
  ])("%s is %s", (timestamp, age) => {
    expect(ageOf(timestamp, NOW)).toBe(age);
  });
});

describe("recall on screen", () => {
  it("puts the highest score first and strips what a memory could do to the screen", () => {
    const output = {
      concepts: [{ id: "c1", title: "Title", summary: "", type: "pattern", score: 0.4, facts: [] }],
      episodes: [
        {
          id: "ep:3",
          content: "evil\x1b[2J\u202e text",
          episode_type: "decision",
          score: 0.9,
          created_at: "2026-06-15T09:00:00.000Z",
          asserted_by: "alice",
          source_ref: null,
        },
      ],
      open_conflicts: [{}],
      partial: true,
    };
    const lines = drawRecall(toRecallView("q", output, NOW), 80);
    expect(lines.map((line) => paintLine(line, "none"))).toEqual([
      "▮▮▮▮▮ 0.90 decision · ep:3 · 3 h ago · by alice",
      "  evil text",
      "▮▮▯▯▯ 0.40 pattern · c1",
      "  Title",
      "1 open conflict: /conflicts",
      "Not everything could be searched: there may be more.",
    ]);
  });

  it("survives an output of another shape", () => {
    for (const output of [undefined, null, 1, { concepts: "x", episodes: [null, {}] }]) {
      expect(() => drawRecall(toRecallView("q", output, NOW), 40)).not.toThrow();
    }
  });
});
