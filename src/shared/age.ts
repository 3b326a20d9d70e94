const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long ago `timestamp` was, for people: `just now`, `3 min ago`, `2 days ago`, `in 5 min`. */
export function ageOf(timestamp: string, now: Date): string {
  const elapsed = now.getTime() - Date.parse(timestamp);
  const span = describeSpan(Math.abs(elapsed));
  if (span === undefined) return "just now";
  return elapsed < 0 ? `in ${span}` : `${span} ago`;
}

/** Undefined below a minute. Months and years are those of the mean Gregorian year. */
function describeSpan(milliseconds: number): string | undefined {
  const year = 365.2425 * DAY;
  if (milliseconds < MINUTE) return undefined;
  if (milliseconds < HOUR) return `${Math.floor(milliseconds / MINUTE)} min`;
  if (milliseconds < DAY) return `${Math.floor(milliseconds / HOUR)} h`;
  if (milliseconds < 60 * DAY) return plural(milliseconds / DAY, "day");
  if (milliseconds < 2 * year) return plural(milliseconds / (year / 12), "month");
  return plural(milliseconds / year, "year");
}

function plural(count: number, unit: string): string {
  const whole = Math.floor(count);
  return `${whole} ${unit}${whole === 1 ? "" : "s"}`;
}
