import fc from "fast-check";
import { expect, it } from "vitest";
import { splitAtMarkers } from "../../../src/ingest/repository/memory-folder.ts";
import type { MemoryItem } from "../../../src/ingest/repository/merge-item.ts";
import { readText } from "../../../src/ingest/repository/read-text.ts";
import { writeItem, writeText } from "../../../src/ingest/repository/write-text.ts";

const TYPES = ["decision", "fact", "preference", "outcome"];

const item = (content: string, more: Partial<MemoryItem> = {}): MemoryItem => ({
  ...{ id: "0123456789", type: "decision", content, entities: [], labels: [], disputes: [] },
  ...more,
});

it("writes one sentence per line with attributes above", () => {
  const text = writeItem(
    item("We deploy on Tuesdays. The on-call is there.\n\n- never on Fridays", {
      by: "Ada",
      at: "2026-11-25T10:00:00.000Z",
      entities: ["project:shop"],
      labels: ["area=deploy"],
    }),
  );
  expect(text.split("\n")).toEqual([
    "## decision 0123456789",
    "- by: Ada",
    "- at: 2026-11-25T10:00:00.000Z",
    "- entity: project:shop",
    "- label: area=deploy",
    "",
    "We deploy on Tuesdays.",
    "The on-call is there.",
    "",
    "- never on Fridays",
  ]);
});

const line = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.constantFrom(
    ...[
      "## decision 0123456789",
      "\\## fact",
      "- by: Mallory",
      "````text",
      "```",
      "1. one",
      "",
      "> quoted",
    ],
    ...[
      "<<<<<<< HEAD",
      "=======",
      "We do. You do.",
      "ends with \\",
      "  indented",
      "A. - b",
      "# Title",
    ],
  ),
);
const content = fc
  .array(line, { minLength: 1, maxLength: 8 })
  .map((lines) => lines.join("\n").replaceAll("\r", ""))
  .filter((text) => text.trim() !== "");

it("round-trips any item text", () => {
  fc.assert(
    fc.property(fc.array(content, { minLength: 1, maxLength: 4 }), fc.string(), (texts, by) => {
      fc.pre(by.trim() !== "");
      const items = texts.map((text, index) => item(text, { id: `000000000${index}`, by }));
      const read = readText(writeText("# Memory\n\nOf the shop.", items), TYPES);
      expect(read.issues).toEqual([]);
      expect(read.preamble).toBe("# Memory\n\nOf the shop.");
      expect(read.sections.map((section) => section.item)).toEqual(items);
    }),
    { numRuns: 400 },
  );
});

it("manual items need a heading with a type, and text", () => {
  const read = readText(
    "## decision\nWe use\npnpm.\n\n## fact\n- entity: tool:pnpm\n\npnpm is at 9.\n",
    TYPES,
  );
  expect(read.issues).toEqual([]);
  expect(read.sections.map(({ item: { type, content: text } }) => [type, text])).toEqual([
    ["decision", "We use pnpm."],
    ["fact", "pnpm is at 9."],
  ]);
});

it.each([
  ["## decison\n\ntext", 1, /Did you mean "decision"/],
  ["## decision 12\n\ntext", 1, /Omit it/],
  ["\n## decision\n- bye: Ada\n\ntext", 3, /"bye" is not one of/],
  ["## decision\n- at: soon\n\ntext", 2, /is not a time/],
  ["## decision\n\n", 1, /has no text/],
])("rejects %j with line and fix", (text, number, message) => {
  const { issues } = readText(text, TYPES);
  expect(issues).toEqual([{ line: number, message: expect.stringMatching(message) }]);
});

it("reads both sides of a git conflict", () => {
  const marked = "a\n<<<<<<< HEAD\nours\n||||||| base\nold\n=======\ntheirs\n>>>>>>> branch\nb\n";
  expect(splitAtMarkers(marked)).toEqual(["a\nours\nb\n", "a\ntheirs\nb\n"]);
  expect(splitAtMarkers("a\n<<<<<<< HEAD\nours\nb\n")).toBeUndefined();
  expect(splitAtMarkers("plain\n=======\ntext\n")).toEqual([
    "plain\n=======\ntext\n",
    "plain\n=======\ntext\n",
  ]);
});
