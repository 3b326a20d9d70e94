import stringWidth from "string-width";

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const ASCII = /^[\x20-\x7e]*$/;

/** Columns that a terminal needs for text without control sequences. */
export function widthOf(text: string): number {
  return ASCII.test(text) ? text.length : stringWidth(text);
}

export function graphemesOf(text: string): readonly string[] {
  if (ASCII.test(text)) return text.split("");
  return Array.from(segmenter.segment(text), (part) => part.segment);
}

/** Cuts text to `width` columns; an ellipsis marks the cut. Tabs and newlines become spaces. */
export function truncate(text: string, width: number): string {
  if (width <= 0) return "";
  // Four code units per column is more than any text that fits; the rest is not worth measuring.
  const flat = text.slice(0, width * 4 + 64).replace(/[\n\t]/g, " ");
  if (flat.length === text.length && widthOf(flat) <= width) return flat;
  return `${takeColumns(flat, width - 1)}…`;
}

/** The longest beginning of `text` that fits into `width` columns. */
export function takeColumns(text: string, width: number): string {
  if (ASCII.test(text)) return text.slice(0, Math.max(0, width));
  let taken = "";
  let used = 0;
  for (const grapheme of graphemesOf(text)) {
    const columns = widthOf(grapheme);
    if (used + columns > width) break;
    taken += grapheme;
    used += columns;
  }
  return taken;
}

/** Replaces tabs by spaces up to the next multiple of `size` columns. */
export function expandTabs(text: string, size = 4): string {
  if (!text.includes("\t")) return text;
  return text
    .split("\n")
    .map((line) => {
      let expanded = "";
      for (const [index, part] of line.split("\t").entries()) {
        if (index > 0) expanded += " ".repeat(size - (widthOf(expanded) % size));
        expanded += part;
      }
      return expanded;
    })
    .join("\n");
}

export function padTo(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - widthOf(text)));
}
