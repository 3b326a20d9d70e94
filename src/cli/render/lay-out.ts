import stringWidth from "fast-string-width";

/** Cells may contain color codes. */
export type Row = readonly string[];

const COLUMN_GAP = 2;
/** A narrower last column moves below the others. */
const MIN_COLUMN_WIDTH = 20;
const CONTINUATION_INDENT = 4;

/** Aligns columns; wraps the last one in place or below the others. */
export function alignColumns(rows: readonly Row[], columns: number): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.slice(0, -1).entries()) {
      widths[index] = Math.max(widths[index] ?? 0, stringWidth(cell));
    }
  }
  return rows.flatMap((row) => {
    const head = row
      .slice(0, -1)
      .map((cell, index) => padEnd(cell, (widths[index] ?? 0) + COLUMN_GAP))
      .join("");
    const available = columns - stringWidth(head);
    const last = row.at(-1) ?? "";
    if (available < MIN_COLUMN_WIDTH && stringWidth(last) > available) {
      return [
        head.trimEnd(),
        ...indent(wrapText(last, columns - CONTINUATION_INDENT), CONTINUATION_INDENT),
      ];
    }
    const [first = "", ...rest] = wrapText(last, available);
    return [`${head}${first}`.trimEnd(), ...indent(rest, stringWidth(head))];
  });
}

export function indent(lines: readonly string[], by: number): string[] {
  return lines.map((line) => (line === "" ? "" : " ".repeat(by) + line));
}

/** Wraps between words to at most `columns` cells; preserves line breaks. */
export function wrapText(text: string, columns: number): string[] {
  return text.split("\n").flatMap((line) => wrapLine(line, columns));
}

function wrapLine(line: string, columns: number): string[] {
  if (stringWidth(line) <= columns) return [line];
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(/(?<=\s)/)) {
    if (stringWidth((current + word).trimEnd()) <= columns) {
      current += word;
      continue;
    }
    if (current.trim() !== "") lines.push(current.trimEnd());
    const pieces = breakWord(word, columns);
    current = pieces.pop() ?? "";
    lines.push(...pieces);
  }
  if (current.trim() !== "") lines.push(current.trimEnd());
  return lines;
}

function breakWord(word: string, columns: number): string[] {
  if (stringWidth(word.trimEnd()) <= columns) return [word];
  const pieces: string[] = [];
  let piece = "";
  let width = 0;
  for (const { segment } of new Intl.Segmenter().segment(word)) {
    const more = stringWidth(segment);
    if (width + more > columns && piece !== "") {
      pieces.push(piece);
      piece = "";
      width = 0;
    }
    piece += segment;
    width += more;
  }
  return [...pieces, piece];
}

function padEnd(cell: string, width: number): string {
  return cell + " ".repeat(Math.max(0, width - stringWidth(cell)));
}
