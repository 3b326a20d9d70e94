import type { Tokens } from "marked";
import type { Line, Span } from "../text/style.ts";
import { lineWidth, wrapSpans } from "../text/wrap.ts";
import { drawInline } from "./draw-inline.ts";

const GAP = "  ";
const NARROWEST_COLUMN = 6;

/** A table within `width` columns; where they are too few, each row becomes a list of its cells. */
export function drawTable(table: Tokens.Table, width: number): readonly Line[] {
  const header = table.header.map((cell) => drawInline(cell.tokens, { bold: true }));
  const rows = table.rows.map((row) => row.map((cell) => drawInline(cell.tokens)));
  const wanted = header.map((cell, column) =>
    Math.max(
      ...[cell, ...rows.map((row) => row[column] ?? [])].map((spans) => lineWidth(spans)),
      1,
    ),
  );
  const room = width - GAP.length * (header.length - 1);
  const widths = shareColumns(wanted, room);
  if (widths === undefined) return drawStacked(header, rows, width);
  const rule: Line = [
    { text: widths.map((columns) => "─".repeat(columns)).join(GAP), style: { color: "gray" } },
  ];
  const layout = { widths, align: table.align };
  return [...drawRow(header, layout), rule, ...rows.flatMap((row) => drawRow(row, layout))];
}

/** Takes columns from the widest until all fit; undefined when they would become unreadable. */
function shareColumns(wanted: readonly number[], room: number): readonly number[] | undefined {
  const widths = [...wanted];
  let excess = widths.reduce((sum, columns) => sum + columns, 0) - room;
  while (excess > 0) {
    const widest = Math.max(...widths);
    if (widest <= NARROWEST_COLUMN) return undefined;
    const index = widths.indexOf(widest);
    const second = Math.max(NARROWEST_COLUMN, ...widths.filter((_, other) => other !== index));
    const cut = Math.min(excess, Math.max(1, widest - second));
    widths[index] = widest - cut;
    excess -= cut;
  }
  return widths;
}

interface Layout {
  readonly widths: readonly number[];
  readonly align: Tokens.Table["align"];
}

function drawRow(cells: readonly (readonly Span[])[], { widths, align }: Layout): readonly Line[] {
  const columns = widths.map((width, index) => wrapSpans(cells[index] ?? [], { width }));
  const height = Math.max(...columns.map((lines) => lines.length));
  return Array.from({ length: height }, (_, row) =>
    columns.flatMap((lines, index) => {
      const line = lines[row] ?? [];
      const isLast = index === widths.length - 1;
      const spare = Math.max(0, (widths[index] ?? 0) - lineWidth(line));
      const left = { right: spare, center: Math.floor(spare / 2), left: 0 }[align[index] ?? "left"];
      const before = left === 0 ? [] : [{ text: " ".repeat(left) }];
      const after = isLast ? [] : [{ text: " ".repeat(spare - left) + GAP }];
      return [...before, ...line, ...after];
    }),
  );
}

function drawStacked(
  header: readonly (readonly Span[])[],
  rows: readonly (readonly (readonly Span[])[])[],
  width: number,
): readonly Line[] {
  return rows.flatMap((row, index) => [
    ...(index > 0 ? [[]] : []),
    ...row.flatMap((cell, column) =>
      wrapSpans([...(header[column] ?? []), { text: ": " }, ...cell], {
        width,
        next: [{ text: "  " }],
      }),
    ),
  ]);
}
