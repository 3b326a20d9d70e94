const LEVELS = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"] as const;
const DAY_MS = 86_400_000;

export interface Day {
  readonly start: string;
  readonly count: number;
}

export interface Sparkline {
  readonly line: string;
  readonly unit: "day" | "week" | "month";
  readonly from: string;
  readonly to: string;
  readonly most: number;
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
  const place = PLACES[unit];
  const end = place(last.start);
  const begin = Math.max(place(first.start), end - width + 1);
  const counts = Array.from({ length: end - begin + 1 }, () => 0);
  for (const { start, count } of days) {
    const at = place(start) - begin;
    if (at >= 0) counts[at] = (counts[at] ?? 0) + count;
  }
  const max = Math.max(...counts);
  const from = days.find(({ start }) => place(start) >= begin)?.start ?? first.start;
  return {
    line: counts.map((count) => level(count, max)).join(""),
    unit,
    from,
    to: last.start,
    most: max,
  };
}

/** Consecutive numbers of days, weeks (from Monday) and months. */
const PLACES = {
  day: (start: string) => Math.floor(Date.parse(start) / DAY_MS),
  // 1970-01-01 was a Thursday.
  week: (start: string) => Math.floor((Date.parse(start) / DAY_MS + 3) / 7),
  month: (start: string) => Number(start.slice(0, 4)) * 12 + Number(start.slice(5, 7)) - 1,
};

/** Nonzero counts get at least the lowest bar. */
function level(count: number, max: number): string {
  if (count === 0) return " ";
  return LEVELS[Math.max(0, Math.ceil((count / max) * LEVELS.length) - 1)] ?? "";
}

/** Draws a fraction as up to `width` cells, at least one if nonzero. */
export function drawBar(fraction: number, width: number): string {
  const cells = Math.round(Math.min(1, Math.max(0, fraction)) * width);
  return "▇".repeat(fraction > 0 ? Math.max(1, cells) : 0);
}
