import { type Presentable, propertiesOf } from "../../../memory/presentation/index.ts";
import { alignColumns, indent, wrapText } from "../lay-out.ts";
import { showList, showTime } from "../show-value.ts";
import type { Style } from "../style.ts";

const INDENT = 2;

/** Text of a record below its header. */
export function body(text: string, style: Style): string[] {
  if (text === "") return [];
  return indent(wrapText(text, style.columns - INDENT), INDENT);
}

/** What every surface shows of a record, as pairs for `details`. */
export function propertyPairs(record: Presentable, style: Style): [string, string][] {
  return propertiesOf(record).map(({ name, kind, values }) => [
    name,
    kind === "time" ? values.map((time) => showTime(time, style)).join(", ") : showList(values),
  ]);
}

/** Named details of a record, aligned; empty ones are left out. */
export function details(pairs: readonly (readonly [string, string])[], style: Style): string[] {
  const rows = pairs
    .filter(([, value]) => value !== "")
    .map(([name, value]) => [style.colors.dim(name), value]);
  return indent(alignColumns(rows, style.columns - INDENT), INDENT);
}
