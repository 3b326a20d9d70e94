import { stripControl } from "../../shared/text.ts";
import { formatChord, type Key } from "../input/key-decoder.ts";
import type { Line, Span, Style } from "../text/style.ts";
import { expandTabs, splitGraphemes, textWidth } from "../text/wrap.ts";

/** The edited text. `cursor` counts UTF-16 units and is always between graphemes. */
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
  readonly entries: readonly string[];
  readonly index?: number;
  readonly draft: string;
}

/** Larger pastes are collapsed into a placeholder. */
const MAX_PASTE_LINES = 30;
const MAX_PASTE_CHARACTERS = 3000;

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
  if (lines <= MAX_PASTE_LINES && text.length <= MAX_PASTE_CHARACTERS) {
    return insertText(editor, text);
  }
  const size = lines > 1 ? `${lines} lines` : `${text.length} characters`;
  const placeholder = `[paste ${editor.pastes.length + 1}: ${size}]`;
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
  // Longer grapheme clusters are not typed by hand.
  const before = text.slice(Math.max(0, cursor - 64), cursor);
  return cursor - (splitGraphemes(before).at(-1)?.length ?? 0);
}

export function nextGrapheme(text: string, cursor: number): number {
  return cursor + (splitGraphemes(text.slice(cursor, cursor + 64))[0]?.length ?? 0);
}

interface EditorView {
  readonly width: number;
  /** Maximum rows; longer text scrolls with the cursor. */
  readonly rows: number;
  readonly placeholder: string;
  readonly marker: Span;
}

const WINDOW_CHARACTERS = 16_000;

/** Not drawn: input methods open at the terminal's own cursor. */
const CURSOR_STYLE: Style = { cursor: true };

export function drawEditor(editor: Editor, view: EditorView): readonly Line[] {
  const indent = textWidth(view.marker.text);
  if (editor.text === "")
    return [[view.marker, { text: " ", style: CURSOR_STYLE }, ...drawHint(view)]];
  const { rows, cursorRow } = layOutRows(editor, Math.max(4, view.width - indent));
  const visibleRows = Math.max(1, view.rows);
  const first = Math.max(0, Math.min(cursorRow - visibleRows + 1, rows.length - visibleRows));
  return rows
    .slice(first, first + visibleRows)
    .map((row, index) => [
      first + index === 0 ? view.marker : { text: " ".repeat(indent) },
      ...row,
    ]);
}

function drawHint(view: EditorView): Line {
  return view.placeholder === "" ? [] : [{ text: view.placeholder, style: { color: "gray" } }];
}

function layOutRows(editor: Editor, width: number): { rows: readonly Line[]; cursorRow: number } {
  const start = Math.max(0, editor.cursor - WINDOW_CHARACTERS);
  const before = editor.text.slice(start, editor.cursor);
  const after = editor.text.slice(editor.cursor, editor.cursor + WINDOW_CHARACTERS);
  const rows: Span[][] = [[]];
  let used = 0;
  let cursorRow = 0;
  const put = (text: string, isCursor: boolean) => {
    const columns = textWidth(text);
    if (used + columns > width) {
      rows.push([]);
      used = 0;
    }
    const row = rows.at(-1);
    const last = row?.at(-1);
    if (isCursor) cursorRow = rows.length - 1;
    if (!isCursor && last !== undefined && last.style === undefined) {
      row?.splice(-1, 1, { text: last.text + text });
    } else row?.push(isCursor ? { text, style: CURSOR_STYLE } : { text });
    used += columns;
  };
  const breakRow = () => {
    rows.push([]);
    used = 0;
  };
  for (const grapheme of splitGraphemes(expandTabs(before))) {
    if (grapheme === "\n") breakRow();
    else put(grapheme, false);
  }
  const [under = " ", ...rest] = splitGraphemes(expandTabs(after));
  put(under === "\n" ? " " : under, true);
  if (under === "\n") breakRow();
  for (const grapheme of rest) {
    if (grapheme === "\n") breakRow();
    else put(grapheme, false);
  }
  return { rows, cursorRow };
}

export function applyKey(editor: Editor, key: Key): Editor | undefined {
  if (key.kind === "text") return insertText(editor, key.text);
  if (key.kind === "paste") return insertPaste(editor, key.text);
  return BINDINGS[formatChord(key)]?.(editor);
}

type Binding = (editor: Editor) => Editor | undefined;

const newline: Binding = (editor) => insertText(editor, "\n");
const left: Binding = (editor) => moveCursor(editor, previousGrapheme(editor.text, editor.cursor));
const right: Binding = (editor) => moveCursor(editor, nextGrapheme(editor.text, editor.cursor));
const wordLeft: Binding = (editor) => moveCursor(editor, wordStart(editor.text, editor.cursor));
const wordRight: Binding = (editor) => moveCursor(editor, wordEnd(editor.text, editor.cursor));
const home: Binding = (editor) => moveCursor(editor, lineStart(editor.text, editor.cursor));
const end: Binding = (editor) => moveCursor(editor, lineEnd(editor.text, editor.cursor));
const up: Binding = (editor) => moveLine(editor, -1) ?? moveInHistory(editor, -1) ?? home(editor);
const down: Binding = (editor) => moveLine(editor, 1) ?? moveInHistory(editor, 1) ?? end(editor);
const backspace: Binding = (editor) =>
  removeRange(editor, previousGrapheme(editor.text, editor.cursor), editor.cursor);
const deleteNext: Binding = (editor) =>
  removeRange(editor, editor.cursor, nextGrapheme(editor.text, editor.cursor));
const cutWordLeft: Binding = (editor) =>
  cutRange(editor, wordStart(editor.text, editor.cursor), editor.cursor);
const cutWordRight: Binding = (editor) =>
  cutRange(editor, editor.cursor, wordEnd(editor.text, editor.cursor));
const cutToStart: Binding = (editor) =>
  cutRange(editor, lineStart(editor.text, editor.cursor), editor.cursor);
const cutToEnd: Binding = (editor) =>
  cutRange(editor, editor.cursor, lineEnd(editor.text, editor.cursor));

const BINDINGS: Readonly<Record<string, Binding>> = {
  "alt+enter": newline,
  "shift+enter": newline,
  "ctrl+j": newline,
  left,
  "ctrl+b": left,
  right,
  "ctrl+f": right,
  "alt+b": wordLeft,
  "alt+left": wordLeft,
  "ctrl+left": wordLeft,
  "alt+f": wordRight,
  "alt+right": wordRight,
  "ctrl+right": wordRight,
  home,
  "ctrl+a": home,
  end,
  "ctrl+e": end,
  up,
  "ctrl+p": up,
  down,
  "ctrl+n": down,
  backspace,
  "ctrl+h": backspace,
  "shift+backspace": backspace,
  delete: deleteNext,
  "ctrl+d": deleteNext,
  "ctrl+w": cutWordLeft,
  "alt+backspace": cutWordLeft,
  "alt+d": cutWordRight,
  "ctrl+u": cutToStart,
  "ctrl+k": cutToEnd,
  "ctrl+y": (editor) => insertText(editor, editor.cut),
};

function moveCursor(editor: Editor, cursor: number): Editor {
  return { ...editor, cursor };
}

function removeRange(editor: Editor, from: number, to: number): Editor {
  return setText(editor, editor.text.slice(0, from) + editor.text.slice(to), from);
}

function cutRange(editor: Editor, from: number, to: number): Editor {
  if (from === to) return editor;
  return { ...removeRange(editor, from, to), cut: editor.text.slice(from, to) };
}

function wordStart(text: string, cursor: number): number {
  const before = /[\p{L}\p{N}_]+[^\p{L}\p{N}_]*$|[^\p{L}\p{N}_]+$/u.exec(text.slice(0, cursor));
  return before === null ? 0 : before.index;
}

function wordEnd(text: string, cursor: number): number {
  const after = /^[^\p{L}\p{N}_]*[\p{L}\p{N}_]*/u.exec(text.slice(cursor));
  return cursor + (after?.[0].length ?? 0);
}

function lineStart(text: string, cursor: number): number {
  return cursor === 0 ? 0 : text.lastIndexOf("\n", cursor - 1) + 1;
}

function lineEnd(text: string, cursor: number): number {
  const end = text.indexOf("\n", cursor);
  return end === -1 ? text.length : end;
}

function moveLine(editor: Editor, step: -1 | 1): Editor | undefined {
  const { text, cursor } = editor;
  const start = lineStart(text, cursor);
  const target = step === -1 ? start - 1 : lineEnd(text, cursor) + 1;
  if (target < 0 || target > text.length) return undefined;
  const targetStart = lineStart(text, target);
  const column = Math.min(cursor - start, lineEnd(text, targetStart) - targetStart);
  const targetIndex = targetStart + column;
  // Snap to a grapheme boundary.
  const settled =
    nextGrapheme(text, previousGrapheme(text, targetIndex)) === targetIndex
      ? targetIndex
      : previousGrapheme(text, targetIndex);
  return moveCursor(editor, Math.max(targetStart, settled));
}
