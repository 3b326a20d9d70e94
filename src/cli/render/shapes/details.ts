import { alignColumns, indent, wrapText } from "../lay-out.ts";
import type { Style } from "../style.ts";

const INDENT = 2;

/** Text of a record below its header. */
export function body(text: string, style: Style): string[] {
  if (text === "") return [];
  return indent(wrapText(text, style.columns - INDENT), INDENT);
}

/** Named details of a record, aligned; empty ones are left out. */
export function details(pairs: readonly (readonly [string, string])[], style: Style): string[] {
  const rows = pairs
    .filter(([, value]) => value !== "")
    .map(([name, value]) => [style.colors.dim(name), value]);
  return indent(alignColumns(rows, style.columns - INDENT), INDENT);
}
