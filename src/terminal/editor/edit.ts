import { chordOf, type Key } from "../input/key.ts";
import {
  type Editor,
  insertPaste,
  insertText,
  moveInHistory,
  nextGrapheme,
  previousGrapheme,
  setText,
} from "./editor.ts";

/** The editor after `key`, or undefined when the key means nothing to it. */
export function edit(editor: Editor, key: Key): Editor | undefined {
  if (key.kind === "text") return insertText(editor, key.text);
  if (key.kind === "paste") return insertPaste(editor, key.text);
  return BINDINGS[chordOf(key)]?.(editor);
}

type Binding = (editor: Editor) => Editor | undefined;

const newline: Binding = (editor) => insertText(editor, "\n");
const left: Binding = (editor) => move(editor, previousGrapheme(editor.text, editor.cursor));
const right: Binding = (editor) => move(editor, nextGrapheme(editor.text, editor.cursor));
const wordLeft: Binding = (editor) => move(editor, wordStart(editor.text, editor.cursor));
const wordRight: Binding = (editor) => move(editor, wordEnd(editor.text, editor.cursor));
const home: Binding = (editor) => move(editor, lineStart(editor.text, editor.cursor));
const end: Binding = (editor) => move(editor, lineEnd(editor.text, editor.cursor));
const up: Binding = (editor) => moveLine(editor, -1) ?? moveInHistory(editor, -1) ?? home(editor);
const down: Binding = (editor) => moveLine(editor, 1) ?? moveInHistory(editor, 1) ?? end(editor);
const backspace: Binding = (editor) =>
  remove(editor, previousGrapheme(editor.text, editor.cursor), editor.cursor);
const deleteNext: Binding = (editor) =>
  remove(editor, editor.cursor, nextGrapheme(editor.text, editor.cursor));
const cutWordLeft: Binding = (editor) =>
  cut(editor, wordStart(editor.text, editor.cursor), editor.cursor);
const cutWordRight: Binding = (editor) =>
  cut(editor, editor.cursor, wordEnd(editor.text, editor.cursor));
const cutToStart: Binding = (editor) =>
  cut(editor, lineStart(editor.text, editor.cursor), editor.cursor);
const cutToEnd: Binding = (editor) =>
  cut(editor, editor.cursor, lineEnd(editor.text, editor.cursor));

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

function move(editor: Editor, cursor: number): Editor {
  return { ...editor, cursor };
}

function remove(editor: Editor, from: number, to: number): Editor {
  return setText(editor, editor.text.slice(0, from) + editor.text.slice(to), from);
}

function cut(editor: Editor, from: number, to: number): Editor {
  if (from === to) return editor;
  return { ...remove(editor, from, to), cut: editor.text.slice(from, to) };
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

/** The same column one line up or down; undefined when there is no such line. */
function moveLine(editor: Editor, step: -1 | 1): Editor | undefined {
  const { text, cursor } = editor;
  const start = lineStart(text, cursor);
  const target = step === -1 ? start - 1 : lineEnd(text, cursor) + 1;
  if (target < 0 || target > text.length) return undefined;
  const targetStart = lineStart(text, target);
  const column = Math.min(cursor - start, lineEnd(text, targetStart) - targetStart);
  const wanted = targetStart + column;
  // Never inside a grapheme of the other line.
  const settled =
    nextGrapheme(text, previousGrapheme(text, wanted)) === wanted
      ? wanted
      : previousGrapheme(text, wanted);
  return move(editor, Math.max(targetStart, settled));
}
