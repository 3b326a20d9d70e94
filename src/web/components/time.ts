const STEPS: readonly [limit: number, unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  [60, "second", 1],
  [3_600, "minute", 60],
  [86_400, "hour", 3_600],
  [30 * 86_400, "day", 86_400],
  [365 * 86_400, "month", 30 * 86_400],
  [Number.POSITIVE_INFINITY, "year", 365 * 86_400],
];

const format = new Intl.RelativeTimeFormat("en", { style: "narrow", numeric: "auto" });

/** `4 min ago`, `yesterday`. */
export function age(timestamp: string, now = Date.now()): string {
  const seconds = (Date.parse(timestamp) - now) / 1000;
  if (Math.abs(seconds) < 30) return "now";
  const [, unit, length] = STEPS.find(([limit]) => Math.abs(seconds) < limit) ?? ["", "second", 1];
  return format.format(Math.round(seconds / length), unit as Intl.RelativeTimeFormatUnit);
}

/** `2026-03-31 14:05 UTC` */
export function moment(timestamp: string): string {
  return `${timestamp.slice(0, 10)} ${timestamp.slice(11, 16)} UTC`;
}
