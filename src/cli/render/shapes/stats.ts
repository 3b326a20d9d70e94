import { alignColumns } from "../lay-out.ts";
import type { ShownStats } from "../record-types.ts";
import type { BlockShape } from "../shape.ts";
import { hasValue, isFields, toInline } from "../show-value.ts";
import type { Style } from "../style.ts";

const BLOCK_CHARACTERS = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"] as const;
const DAY_MS = 86_400_000;

interface Day {
  readonly start: string;
  readonly count: number;
}

interface Sparkline {
  readonly line: string;
  readonly unit: "day" | "week" | "month";
  readonly from: string;
  readonly to: string;
  readonly maxCount: number;
}

/**
 * Draws counts per day, oldest first, one character per day, week or month depending on `width`.
 * Drops the oldest if months do not fit either.
 */
export function drawSparkline(days: readonly Day[], width: number): Sparkline | undefined {
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const span = (Date.parse(last.start) - Date.parse(first.start)) / DAY_MS + 1;
  const unit = span <= width ? "day" : span / 7 <= width - 1 ? "week" : "month";
  const toBucketNumber = BUCKET_NUMBERS[unit];
  const end = toBucketNumber(last.start);
  const begin = Math.max(toBucketNumber(first.start), end - width + 1);
  const counts = Array.from({ length: end - begin + 1 }, () => 0);
  for (const { start, count } of days) {
    const at = toBucketNumber(start) - begin;
    if (at >= 0) counts[at] = (counts[at] ?? 0) + count;
  }
  const max = Math.max(...counts);
  const from = days.find(({ start }) => toBucketNumber(start) >= begin)?.start ?? first.start;
  return {
    line: counts.map((count) => blockCharacter(count, max)).join(""),
    unit,
    from,
    to: last.start,
    maxCount: max,
  };
}

/** Consecutive numbers of days, weeks (from Monday) and months. */
const BUCKET_NUMBERS = {
  day: (start: string) => Math.floor(Date.parse(start) / DAY_MS),
  // 1970-01-01 was a Thursday.
  week: (start: string) => Math.floor((Date.parse(start) / DAY_MS + 3) / 7),
  month: (start: string) => Number(start.slice(0, 4)) * 12 + Number(start.slice(5, 7)) - 1,
};

/** Nonzero counts get at least the lowest bar. */
function blockCharacter(count: number, max: number): string {
  if (count === 0) return " ";
  return (
    BLOCK_CHARACTERS[Math.max(0, Math.ceil((count / max) * BLOCK_CHARACTERS.length) - 1)] ?? ""
  );
}

/** Draws a fraction as up to `width` cells, at least one if nonzero. */
export function drawBar(fraction: number, width: number): string {
  const cells = Math.round(Math.min(1, Math.max(0, fraction)) * width);
  return "▇".repeat(fraction > 0 ? Math.max(1, cells) : 0);
}

const BAR_WIDTH = 24;
const SPARKLINE_WIDTH = 60;

/** Counts by subject, totals first. */
export const stats: BlockShape<ShownStats> = {
  fits: (record) => hasValue<ShownStats>(record, "consolidation", "episodes", "last_seq"),
  block: (record, style) => {
    const rows = Object.entries(record)
      .filter(([name]) => name !== "consolidation" && name !== "timeline")
      .map(([name, value]) => [
        style.colors.dim(name.replaceAll("_", " ")),
        ...(isFields(value) ? splitTotal(value) : [toInline(value), ""]),
      ]);
    const { ratio } = record.consolidation;
    return [
      ...alignColumns(rows, style.columns),
      `${Math.round(ratio * 100)} % of the episodes are reviewed.`,
      ...typeBars(record.episodes, style),
      ...drawActivity(record.timeline, style),
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
    style.colors.dim(toInline(type)),
    `${style.colors.cyan(drawBar(count / maxCount, BAR_WIDTH))} ${count}`,
  ]);
  return ["", ...alignColumns(rows, style.columns)];
}

function drawActivity(timeline: ShownStats["timeline"], style: Style): string[] {
  const sparkline = drawSparkline(
    timeline?.buckets ?? [],
    Math.min(SPARKLINE_WIDTH, style.columns),
  );
  if (sparkline === undefined) return [];
  const { line, unit, from, to, maxCount } = sparkline;
  const words = `a ${unit} each from ${from} to ${to}; maximum ${maxCount}`;
  return ["", style.colors.cyan(line), style.colors.dim(words)];
}

function splitTotal(counts: Readonly<Record<string, unknown>>): [string, string] {
  const { total, by_type: byType, ...rest } = counts;
  const parts = [
    ...Object.entries(rest).map(
      ([name, value]) => `${name.replaceAll("_", " ")} ${toInline(value)}`,
    ),
    isFields(byType) && Object.keys(byType).length > 0
      ? `(${Object.entries(byType)
          .map(([name, value]) => `${toInline(name)} ${toInline(value)}`)
          .join(", ")})`
      : "",
  ];
  return [toInline(total ?? ""), parts.filter(Boolean).join(", ").replace(", (", " (")];
}
