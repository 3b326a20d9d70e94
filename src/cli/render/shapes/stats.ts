import { alignColumns } from "../lay-out.ts";
import type { BlockShape } from "../shape.ts";
import { has, inLine, isFields } from "../show-value.ts";

/** Counts, one subject a line: the total, then what it is made of. */
export const stats: BlockShape = {
  fits: (record) => has(record, "consolidation", "episodes", "last_seq"),
  block: (record, style) => {
    const rows = Object.entries(record)
      .filter(([name]) => name !== "consolidation")
      .map(([name, value]) => [
        style.colors.dim(name.replaceAll("_", " ")),
        ...(isFields(value) ? splitTotal(value) : [inLine(value), ""]),
      ]);
    const { consolidation } = record;
    const ratio = isFields(consolidation) ? Number(consolidation.ratio) : 1;
    return [
      ...alignColumns(rows, style.columns),
      `${Math.round(ratio * 100)} % of the episodes are reviewed.`,
    ];
  },
};

function splitTotal(counts: Readonly<Record<string, unknown>>): [string, string] {
  const { total, by_type: byType, ...rest } = counts;
  const parts = [
    ...Object.entries(rest).map(([name, value]) => `${name.replaceAll("_", " ")} ${inLine(value)}`),
    isFields(byType) && Object.keys(byType).length > 0
      ? `(${Object.entries(byType)
          .map(([name, value]) => `${inLine(name)} ${inLine(value)}`)
          .join(", ")})`
      : "",
  ];
  return [inLine(total ?? ""), parts.filter(Boolean).join(", ").replace(", (", " (")];
}
