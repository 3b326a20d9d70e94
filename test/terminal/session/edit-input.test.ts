import { expect, it } from "vitest";
import { setText } from "../../../src/terminal/editor/editor.ts";
import { editInput } from "../../../src/terminal/session/key-effects.ts";
import { createScreen, type Screen } from "../../../src/terminal/state/screen.ts";

function sitting(over: Partial<Screen> = {}) {
  const fresh = createScreen({ cwd: "~/p" });
  const notes: string[] = [];
  return {
    screen: { ...fresh, editor: setText(fresh.editor, "first"), ...over },
    notes,
    note: (tone: string, text: string) => notes.push(`${tone}: ${text}`),
    show(screen: Screen) {
      this.screen = screen;
    },
  };
}

it("replaces the input with the edited text", () => {
  const session = sitting();
  editInput(session, (text) => `${text}\nsecond`);
  expect(session.screen.editor.text).toBe("first\nsecond");
});

it("does not open an editor during a run and says when it can", () => {
  const session = sitting({ run: { startedAt: 0, activity: "working" } });
  editInput(session, () => "changed");
  expect(session.screen.editor.text).toBe("first");
  expect(session.notes).toEqual(["info: Wait until the run ends before you open the editor."]);
});

it("never opens an editor for a secret", () => {
  const session = sitting({
    prompt: { question: "Key?", choices: [], selected: 0, isSecret: true },
  });
  editInput(session, () => "changed");
  expect(session.screen.editor.text).toBe("first");
});

it("preserves the input if the editor fails, with the reason", () => {
  const session = sitting();
  editInput(session, () => {
    throw new Error("vi could not be used");
  });
  expect(session.screen.editor.text).toBe("first");
  expect(session.notes).toEqual(["error: vi could not be used"]);
});
