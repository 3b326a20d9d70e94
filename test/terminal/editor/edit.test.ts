import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  applyKey,
  clearEditor,
  createEditor,
  drawEditor,
  type Editor,
  expandedText,
} from "../../../src/terminal/editor/editor.ts";
import { createKey, type Key } from "../../../src/terminal/input/key-decoder.ts";
import { paintLine } from "../../../src/terminal/text/style.ts";
import { lineWidth } from "../../../src/terminal/text/wrap.ts";

const type = (text: string): Key => ({ kind: "text", text });
const press = (editor: Editor, ...keys: readonly Key[]) =>
  keys.reduce((state, key) => applyKey(state, key) ?? state, editor);
const show = ({ text, cursor }: Editor) => `${text.slice(0, cursor)}|${text.slice(cursor)}`;

const chords: Key[] = "left right up down home end backspace delete enter"
  .split(" ")
  .flatMap((name) => [
    createKey(name),
    createKey(name, { alt: true }),
    createKey(name, { ctrl: true }),
  ]);
const letters = "abdefhjknpuwy"
  .split("")
  .flatMap((name) => [createKey(name, { ctrl: true }), createKey(name, { alt: true })]);
const anyKey = fc.oneof(
  fc.constantFrom(...chords, ...letters),
  fc.constantFrom("a", "é", "👩‍👩‍👧", "日", " ", "/", "word word").map(type),
  fc.string({ unit: "grapheme" }).map((text): Key => ({ kind: "paste", text })),
);

describe("edit", () => {
  it("keeps the cursor on character boundaries for any keys", () => {
    fc.assert(
      fc.property(fc.array(anyKey), (keys) => {
        const { text, cursor } = press(createEditor(["old", "older 👩‍👩‍👧"]), ...keys);
        expect(cursor).toBeGreaterThanOrEqual(0);
        expect(cursor).toBeLessThanOrEqual(text.length);
        expect(text.slice(cursor - 1, cursor + 1)).not.toMatch(/^[\ud800-\udbff][\udc00-\udfff]$/);
      }),
    );
  });

  it("moves and deletes an emoji family as one character", () => {
    const editor = press(
      createEditor(),
      type("a👩‍👩‍👧b"),
      createKey("left"),
      createKey("backspace"),
    );
    expect(show(editor)).toBe("a|b");
  });

  it("moves and cuts by words, and pastes", () => {
    const written = press(createEditor(), type("fix the bug"), createKey("left", { alt: true }));
    expect(show(written)).toBe("fix the |bug");
    const cut = press(written, createKey("w", { ctrl: true }));
    expect(show(cut)).toBe("fix |bug");
    expect(show(press(cut, createKey("e", { ctrl: true }), createKey("y", { ctrl: true })))).toBe(
      "fix bugthe |",
    );
  });

  it("moves between lines before it goes through the history", () => {
    const editor = press(
      createEditor(["first"]),
      type("ab"),
      createKey("j", { ctrl: true }),
      type("c"),
    );
    expect(show(editor)).toBe("ab\nc|");
    expect(show(press(editor, createKey("up")))).toBe("a|b\nc");
    expect(show(press(editor, createKey("up"), createKey("up")))).toBe("first|");
    expect(show(press(editor, createKey("up"), createKey("up"), createKey("down")))).toBe("ab\nc|");
  });

  it("collapses a long paste and sends it in full", () => {
    const pasted = Array.from({ length: 200 }, (_, index) => `line ${index} $&`).join("\n");
    const editor = press(createEditor(), type("see "), { kind: "paste", text: pasted });
    expect(editor.text).toBe("see [paste 1: 200 lines]");
    expect(expandedText(editor)).toBe(`see ${pasted}`);
  });

  it("strips control sequences from pastes", () => {
    expect(press(createEditor(), { kind: "paste", text: "a\x1b[2Jb" }).text).toBe("ab");
  });

  it("stores sent text once", () => {
    const once = clearEditor(clearEditor(createEditor(), "hello"), "hello");
    expect(once.history.entries).toEqual(["hello"]);
  });
});

describe("drawEditor", () => {
  const view = { width: 12, rows: 3, placeholder: "ask", marker: { text: "› " } };

  it("stays within rows and columns and shows the cursor", () => {
    fc.assert(
      fc.property(fc.array(anyKey), (keys) => {
        const lines = drawEditor(press(createEditor(), ...keys), view);
        expect(lines.length).toBeLessThanOrEqual(3);
        for (const line of lines) expect(lineWidth(line)).toBeLessThanOrEqual(12);
        expect(lines.flat().filter((piece) => piece.style?.cursor === true)).toHaveLength(1);
      }),
    );
  });

  it("scrolls with the cursor", () => {
    const editor = press(createEditor(), { kind: "paste", text: "1\n2\n3\n4\n5" });
    expect(drawEditor(editor, view).map((line) => paintLine(line, "none"))).toEqual([
      "  3",
      "  4",
      "  5 ",
    ]);
  });
});
