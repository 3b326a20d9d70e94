import stringWidth from "string-width";
import type { Line, Span, Style } from "./style.ts";

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const ASCII = /^[\x20-\x7e]*$/;

export function textWidth(text: string): number {
  return ASCII.test(text) ? text.length : stringWidth(text);
}

export function splitGraphemes(text: string): readonly string[] {
  if (ASCII.test(text)) return text.split("");
  return Array.from(segmenter.segment(text), (part) => part.segment);
}

/** Cuts text to `width` columns with an ellipsis; tabs and newlines become spaces. */
export function truncate(text: string, width: number): string {
  if (width <= 0) return "";
  // No text that fits has more than four code units per column.
  const flat = text.slice(0, width * 4 + 64).replace(/[\n\t]/g, " ");
  if (flat.length === text.length && textWidth(flat) <= width) return flat;
  return `${takeColumns(flat, width - 1)}…`;
}

export function takeColumns(text: string, width: number): string {
  if (ASCII.test(text)) return text.slice(0, Math.max(0, width));
  let result = "";
  let used = 0;
  for (const grapheme of splitGraphemes(text)) {
    const columns = textWidth(grapheme);
    if (used + columns > width) break;
    result += grapheme;
    used += columns;
  }
  return result;
}

export function expandTabs(text: string, size = 4): string {
  if (!text.includes("\t")) return text;
  return text
    .split("\n")
    .map((line) => {
      let expanded = "";
      for (const [index, part] of line.split("\t").entries()) {
        if (index > 0) expanded += " ".repeat(size - (textWidth(expanded) % size));
        expanded += part;
      }
      return expanded;
    })
    .join("\n");
}

export function padTo(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - textWidth(text)));
}

export interface WrapOptions {
  readonly width: number;
  readonly first?: Line;
  readonly next?: Line;
}

interface Cell {
  readonly text: string;
  readonly width: number;
  readonly style: Style | undefined;
}

/**
 * Wraps styled text to `width` columns: at spaces, between wide characters, and inside words longer
 * than a row. Preserves newlines; returns at least one row.
 */
export function wrapSpans(spans: readonly Span[], options: WrapOptions): readonly Line[] {
  const first = options.first ?? [];
  const next = options.next ?? [{ text: " ".repeat(lineWidth(first)) }];
  const available = Math.max(1, options.width - Math.max(lineWidth(first), lineWidth(next)));
  const rows = splitRows(spans).flatMap((cells) => wrapRow(cells, available));
  return rows.map((row, index) => [...(index === 0 ? first : next), ...joinCells(row)]);
}

export function wrapText(text: string, options: WrapOptions & { style?: Style }): readonly Line[] {
  const piece = options.style === undefined ? { text } : { text, style: options.style };
  return wrapSpans([piece], options);
}

export function lineWidth(line: Line): number {
  return line.reduce((sum, piece) => sum + textWidth(piece.text), 0);
}

export function truncateLine(line: Line, width: number): Line {
  if (lineWidth(line) <= width) return line;
  const cells: Cell[] = [];
  let used = 0;
  for (const cell of line.flatMap(toCells)) {
    if (used + cell.width > width - 1) break;
    cells.push(cell);
    used += cell.width;
  }
  return joinCells([...cells, { text: "…", width: 1, style: cells.at(-1)?.style }]);
}

function splitRows(spans: readonly Span[]): readonly (readonly Cell[])[] {
  const rows: Cell[][] = [[]];
  for (const piece of spans) {
    for (const [index, text] of expandTabs(piece.text).split("\n").entries()) {
      if (index > 0) rows.push([]);
      const row = rows.at(-1);
      for (const cell of toCells({ ...piece, text })) row?.push(cell);
    }
  }
  return rows;
}

function toCells(piece: Span): readonly Cell[] {
  return splitGraphemes(piece.text).map((text) => ({
    text,
    width: textWidth(text),
    style: piece.style,
  }));
}

function wrapRow(cells: readonly Cell[], available: number): readonly (readonly Cell[])[] {
  const rows: Cell[][] = [];
  let row: Cell[] = [];
  let used = 0;
  let breakAt = 0;
  for (const cell of cells) {
    if (used + cell.width > available && row.length > 0 && cell.text === " ") {
      rows.push(row);
      [row, used, breakAt] = [[], 0, 0];
      continue;
    }
    while (used + cell.width > available && row.length > 0) {
      const at = breakAt > 0 ? breakAt : row.length;
      rows.push(trimEnd(row.slice(0, at)));
      row = row.slice(at);
      used = row.reduce((sum, cell) => sum + cell.width, 0);
      breakAt = 0;
    }
    if (cell.width > 1 && row.length > 0) breakAt = row.length;
    row.push(cell);
    used += cell.width;
    if (cell.text === " " || cell.width > 1) breakAt = row.length;
  }
  rows.push(row);
  return rows;
}

function trimEnd(row: readonly Cell[]): Cell[] {
  const end = row.findLastIndex((cell) => cell.text !== " ");
  return row.slice(0, end + 1);
}

function joinCells(cells: readonly Cell[]): Line {
  const joined: { text: string; style?: Style }[] = [];
  for (const cell of cells) {
    const last = joined.at(-1);
    if (last !== undefined && last.style === cell.style) last.text += cell.text;
    else
      joined.push(
        cell.style === undefined ? { text: cell.text } : { text: cell.text, style: cell.style },
      );
  }
  return joined;
}

export interface CursorPosition {
  readonly x: number;
  readonly y: number;
}

export function findCursor(lines: readonly Line[]): CursorPosition | undefined {
  const y = lines.findLastIndex((line) => line.some(isCursor));
  const line = lines[y];
  if (line === undefined) return undefined;
  const before = line.slice(0, line.findIndex(isCursor));
  return { x: lineWidth(before), y };
}

function isCursor({ style }: Span): boolean {
  return style?.cursor === true;
}
