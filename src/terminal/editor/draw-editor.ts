import type { Line, Span, Style } from "../text/style.ts";
import { expandTabs, graphemesOf, widthOf } from "../text/width.ts";
import type { Editor } from "./editor.ts";

export interface EditorView {
  readonly width: number;
  /** Rows at most; longer text scrolls with the cursor. */
  readonly rows: number;
  readonly placeholder: string;
  readonly marker: Span;
}

/** Characters of a text around its cursor that are worth laying out for one screen. */
const WINDOW = 16_000;

/** Input methods open their windows where the terminal's cursor is, so it is not drawn. */
const CURSOR: Style = { cursor: true };

export function drawEditor(editor: Editor, view: EditorView): readonly Line[] {
  const indent = widthOf(view.marker.text);
  if (editor.text === "") return [[view.marker, { text: " ", style: CURSOR }, ...hint(view)]];
  const { rows, cursorRow } = layOut(editor, Math.max(4, view.width - indent));
  const shown = Math.max(1, view.rows);
  const first = Math.max(0, Math.min(cursorRow - shown + 1, rows.length - shown));
  return rows
    .slice(first, first + shown)
    .map((row, index) => [
      first + index === 0 ? view.marker : { text: " ".repeat(indent) },
      ...row,
    ]);
}

function hint(view: EditorView): Line {
  return view.placeholder === "" ? [] : [{ text: view.placeholder, style: { color: "gray" } }];
}

function layOut(editor: Editor, width: number): { rows: readonly Line[]; cursorRow: number } {
  const start = Math.max(0, editor.cursor - WINDOW);
  const before = editor.text.slice(start, editor.cursor);
  const after = editor.text.slice(editor.cursor, editor.cursor + WINDOW);
  const rows: Span[][] = [[]];
  let used = 0;
  let cursorRow = 0;
  const put = (text: string, isCursor: boolean) => {
    const columns = widthOf(text);
    if (used + columns > width) {
      rows.push([]);
      used = 0;
    }
    const row = rows.at(-1);
    const last = row?.at(-1);
    if (isCursor) cursorRow = rows.length - 1;
    if (!isCursor && last !== undefined && last.style === undefined) {
      row?.splice(-1, 1, { text: last.text + text });
    } else row?.push(isCursor ? { text, style: CURSOR } : { text });
    used += columns;
  };
  const breakRow = () => {
    rows.push([]);
    used = 0;
  };
  for (const grapheme of graphemesOf(expandTabs(before))) {
    if (grapheme === "\n") breakRow();
    else put(grapheme, false);
  }
  const [under = " ", ...rest] = graphemesOf(expandTabs(after));
  put(under === "\n" ? " " : under, true);
  if (under === "\n") breakRow();
  for (const grapheme of rest) {
    if (grapheme === "\n") breakRow();
    else put(grapheme, false);
  }
  return { rows, cursorRow };
}
