import { setText } from "../editor/editor.ts";
import { type Key, keyOf } from "../input/key.ts";
import type { Screen } from "../state/screen.ts";
import { sayChoices, sayPicker } from "./say-changes.ts";

export interface LineTaker {
  readonly screen: Screen;
  show(screen: Screen): void;
  press(key: Key): void;
}

const ENTER = keyOf("enter");
/** What keys do on a screen, by the word that stands for them here. */
const WORDS: Readonly<Record<string, Key>> = {
  "/more": keyOf("o", { ctrl: true }),
  "/mode": keyOf("tab", { shift: true }),
};

/** Does what a written line means where the session stands. Returns what is to be said about it. */
export function takeLine(session: LineTaker, line: string, now: number): readonly string[] {
  const { screen } = session;
  const { picker, prompt, editor } = screen;
  if (picker !== undefined) return takeChoice(session, line);
  if (prompt !== undefined) {
    // It was written before the question could be heard.
    if (prompt.readyAt !== undefined && now < prompt.readyAt) {
      return ["A question came up while you wrote: that was not taken as its answer."];
    }
    const needsWords = line.trim() === "" && prompt.isOptional !== true;
    if (needsWords) return sayChoices(prompt);
  }
  const key = prompt === undefined ? WORDS[line.trim()] : undefined;
  if (key !== undefined) {
    session.press(key);
    return [];
  }
  session.show({ ...screen, completion: undefined, editor: setText(editor, editor.text + line) });
  if (line.trim() === "" && prompt?.isOptional !== true) return [];
  session.press(ENTER);
  return [];
}

function takeChoice(session: LineTaker, line: string): readonly string[] {
  const { screen } = session;
  const { picker } = screen;
  if (picker === undefined) return [];
  const said = line.trim();
  if (said === "") {
    session.press(keyOf("escape"));
    return ["Left the list."];
  }
  if (!/^\d+$/.test(said)) {
    session.press({ kind: "text", text: said });
    return [];
  }
  const selected = Number(said) - 1;
  if (picker.items[selected] === undefined)
    return ["There is no such number.", ...sayPicker(picker)];
  session.show({ ...screen, picker: { ...picker, selected } });
  session.press(ENTER);
  return [];
}
