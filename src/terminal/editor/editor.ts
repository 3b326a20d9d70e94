import { stripControl } from "../../shared/text.ts";
import { graphemesOf } from "../text/width.ts";

/** The text being written. `cursor` counts UTF-16 units and stands between graphemes. */
export interface Editor {
  readonly text: string;
  readonly cursor: number;
  readonly cut: string;
  /** Long pastes, shown as a placeholder and sent in full. */
  readonly pastes: readonly Paste[];
  readonly history: EditorHistory;
}

export interface Paste {
  readonly placeholder: string;
  readonly text: string;
}

export interface EditorHistory {
  /** Oldest first. */
  readonly entries: readonly string[];
  /** The entry on show, or undefined while writing something new. */
  readonly index?: number;
  readonly draft: string;
}

/** A paste of more lines or characters is folded into one placeholder. */
const PASTE_LINES_SHOWN = 30;
const PASTE_CHARACTERS_SHOWN = 3000;

export function createEditor(entries: readonly string[] = []): Editor {
  return { text: "", cursor: 0, cut: "", pastes: [], history: { entries, draft: "" } };
}

export function insertText(editor: Editor, text: string): Editor {
  const { cursor } = editor;
  return {
    ...editor,
    text: editor.text.slice(0, cursor) + text + editor.text.slice(cursor),
    cursor: cursor + text.length,
  };
}

export function insertPaste(editor: Editor, pasted: string): Editor {
  const text = stripControl(pasted);
  const lines = text.split("\n").length;
  if (lines <= PASTE_LINES_SHOWN && text.length <= PASTE_CHARACTERS_SHOWN) {
    return insertText(editor, text);
  }
  const what = lines > 1 ? `${lines} lines` : `${text.length} characters`;
  const placeholder = `[paste ${editor.pastes.length + 1}: ${what}]`;
  const pastes = [...editor.pastes, { placeholder, text }];
  return { ...insertText(editor, placeholder), pastes };
}

export function expandedText(editor: Editor): string {
  return editor.pastes.reduce(
    (text, paste) => text.replaceAll(paste.placeholder, () => paste.text),
    editor.text,
  );
}

export function clearEditor(editor: Editor, sent?: string): Editor {
  const { entries } = editor.history;
  const isNew = sent !== undefined && sent.trim() !== "" && entries.at(-1) !== sent;
  return { ...createEditor(isNew ? [...entries, sent] : entries), cut: editor.cut };
}

export function setText(editor: Editor, text: string, cursor = text.length): Editor {
  return { ...editor, text, cursor };
}

/** Goes back (-1) or forward (+1) through what was sent; undefined at either end. */
export function moveInHistory(editor: Editor, step: -1 | 1): Editor | undefined {
  const { entries, index, draft } = editor.history;
  const target = (index ?? entries.length) + step;
  if (target < 0 || target > entries.length) return undefined;
  const isDraft = target === entries.length;
  const text = isDraft ? draft : (entries[target] ?? "");
  const history = {
    entries,
    draft: index === undefined ? editor.text : draft,
    ...(!isDraft && { index: target }),
  };
  return { ...editor, text, cursor: text.length, history };
}

export function previousGrapheme(text: string, cursor: number): number {
  // The last few units decide; a longer cluster is not something that is typed.
  const before = text.slice(Math.max(0, cursor - 64), cursor);
  return cursor - (graphemesOf(before).at(-1)?.length ?? 0);
}

export function nextGrapheme(text: string, cursor: number): number {
  return cursor + (graphemesOf(text.slice(cursor, cursor + 64))[0]?.length ?? 0);
}
