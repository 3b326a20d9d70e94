// @module-tag long: sessions in a terminal.
import { describe, expect, it } from "vitest";
import { setUpStage } from "./support/stage.ts";

const stage = setUpStage();

async function begin(size = {}) {
  const terminal = stage.start({}, size);
  await terminal.waitFor("scripted");
  await terminal.settle();
  return terminal;
}

describe("the terminal's own cursor", () => {
  it("is at the next character, for input methods", async () => {
    const terminal = await begin();
    expect(terminal.cursor).toMatchObject({ before: "› ", isVisible: true });
    terminal.type("né日本");
    await terminal.waitFor("né日本");
    await terminal.settle();
    expect(terminal.cursor).toEqual({ before: "› né日本", after: "", isVisible: true });
    terminal.type("\x1b[D");
    await terminal.settle();
    expect(terminal.cursor).toEqual({ before: "› né日", after: "本", isVisible: true });
    terminal.type("\x1b[F\x1b\rnext");
    await terminal.waitFor("next");
    await terminal.settle();
    expect(terminal.cursor.before).toBe("  next");
  });

  it("moves to the session list and back", async () => {
    stage.model.script({ text: "an answer" });
    const first = await begin();
    first.type("go\r");
    await first.waitFor("an answer");
    await first.waitForGone("Working");
    first.type("\x04");
    await first.exited;
    const terminal = await begin();
    terminal.type("/sessions\r");
    await terminal.waitFor("Sessions");
    terminal.type("g");
    await terminal.waitFor("Sessions › g");
    await terminal.settle();
    expect(terminal.cursor).toMatchObject({ before: "Sessions › g", isVisible: true });
    terminal.type("\x1b");
    await terminal.waitForGone("Sessions");
    await terminal.settle();
    expect(terminal.cursor.before).toBe("› ");
  });

  it("stays in the input while a response streams", async () => {
    const words = Array.from({ length: 40 }, (_, index) => `word ${index}\n\n`);
    stage.model.script({ text: words, hang: "afterText" });
    const terminal = await begin({ columns: 60, rows: 12 });
    terminal.type("go\r");
    await terminal.waitFor("word 39");
    terminal.type("next thing");
    await terminal.waitFor("› next thing");
    await terminal.waitFor("Working");
    const betweenFrames = terminal.raw.replace(/\x1b\[\?2026h[\s\S]*?\x1b\[\?2026l/g, "");
    expect(betweenFrames).not.toMatch(/\x1b\[\?25[hl]/);
    const frames = terminal.raw.match(/\x1b\[\?2026h[\s\S]*?\x1b\[\?2026l/g) ?? [];
    const hidden = frames.filter((one) => one.lastIndexOf("?25h") < one.lastIndexOf("?25l"));
    // Ink hides the cursor once at the start.
    expect(hidden.length).toBeLessThanOrEqual(1);
    expect(frames.length).toBeGreaterThan(5);
    expect(terminal.cursor.before).toBe("› next thing");
  });

  it("leaves no artifacts after narrowing and ends below the screen", async () => {
    const terminal = await begin({ columns: 70, rows: 16 });
    terminal.type("some words that need more than a row in a narrow window");
    await terminal.waitFor("narrow window");
    for (const columns of [40, 24, 60]) {
      await terminal.waitForRedraw(columns, 16);
      expect(terminal.all.match(/› some words/g)).toHaveLength(1);
      expect(terminal.all.match(/scripted/g)).toHaveLength(1);
      expect(terminal.cursor.isVisible).toBe(true);
    }
    terminal.type("\x15\x04");
    await terminal.exited;
    expect(terminal.cursor).toMatchObject({ before: "", after: "", isVisible: true });
  });
});
