import { alignColumns } from "../lay-out.ts";
import type { ShownStats } from "../record-types.ts";
import type { BlockShape } from "../shape.ts";
import { has, inLine, isFields } from "../show-value.ts";
import { drawBar, drawSparkline } from "../sparkline.ts";
import type { Style } from "../style.ts";

const BAR_CELLS = 24;
const SPARK_CELLS = 60;

/** Counts by subject, totals first. */
export const stats: BlockShape<ShownStats> = {
  fits: (record) => has<ShownStats>(record, "consolidation", "episodes", "last_seq"),
  block: (record, style) => {
    const rows = Object.entries(record)
      .filter(([name]) => name !== "consolidation" && name !== "timeline")
      .map(([name, value]) => [
        style.colors.dim(name.replaceAll("_", " ")),
        ...(isFields(value) ? splitTotal(value) : [inLine(value), ""]),
      ]);
    const { ratio } = record.consolidation;
    return [
      ...alignColumns(rows, style.columns),
      `${Math.round(ratio * 100)} % of the episodes are reviewed.`,
      ...typeBars(record.episodes, style),
      ...activity(record.timeline, style),
    ];
  },
};

function typeBars(episodes: ShownStats["episodes"], style: Style): string[] {
  const types = Object.entries(episodes.by_type)
    .map(([type, count]) => ({ type, count }))
    .sort((a, b) => b.count - a.count);
  const maxCount = types[0]?.count ?? 0;
  if (maxCount === 0) return [];
  const rows = types.map(({ type, count }) => [
    style.colors.dim(inLine(type)),
    `${style.colors.cyan(drawBar(count / maxCount, BAR_CELLS))} ${count}`,
  ]);
  return ["", ...alignColumns(rows, style.columns)];
}

function activity(timeline: ShownStats["timeline"], style: Style): string[] {
  const sparkline = drawSparkline(timeline?.buckets ?? [], Math.min(SPARK_CELLS, style.columns));
  if (sparkline === undefined) return [];
  const { line, unit, from, to, most } = sparkline;
  const words = `a ${unit} each from ${from} to ${to}; maximum ${most}`;
  return ["", style.colors.cyan(line), style.colors.dim(words)];
}

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
