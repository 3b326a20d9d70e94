/** First and last day, in days since 1970 UTC. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

const DAY_MS = 86_400_000;
/** Limits of timestamps: the years 0000 to 9999. */
const MIN_DAY = -719_528;
const MAX_DAY = 2_932_896;

export function dayNumber(timestamp: string | Date): number {
  return Math.floor(new Date(timestamp).getTime() / DAY_MS);
}

export function startOfDay(day: number): string {
  return new Date(Math.min(MAX_DAY, Math.max(MIN_DAY, day)) * DAY_MS).toISOString();
}

/** Returns the day number; undefined if the date does not exist. Months count from 1. */
export function dayOfDate(year: number, month: number, day: number): number | undefined {
  const date = utc(year, month, day);
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists ? dayNumber(date) : undefined;
}

/** Returns a period of whole months. Months outside 1..12 are in the next or previous year. */
export function monthPeriod(year: number, month: number, count = 1): Period {
  return { from: dayNumber(utc(year, month, 1)), to: dayNumber(utc(year, month + count, 1)) - 1 };
}

export function yearPeriod(year: number): Period {
  return monthPeriod(year, 1, 12);
}

export function singleDay(day: number): Period {
  return { from: day, to: day };
}

export function periodSince({ from }: Period): Period {
  return { from, to: MAX_DAY };
}

export function periodUntil({ to }: Period): Period {
  return { from: MIN_DAY, to };
}

export function periodLength({ from, to }: Period): number {
  return to - from + 1;
}

export function sharedDays(a: Period, b: Period): number {
  return Math.max(0, Math.min(a.to, b.to) - Math.max(a.from, b.from) + 1);
}

export function yearOfDay(day: number): number {
  return new Date(day * DAY_MS).getUTCFullYear();
}

export function monthOfDay(day: number): number {
  return new Date(day * DAY_MS).getUTCMonth() + 1;
}

/** 0 is Monday. */
export function weekdayOfDay(day: number): number {
  return (new Date(day * DAY_MS).getUTCDay() + 6) % 7;
}

/** `Date.UTC` would read the years 0 to 99 as 1900 to 1999. */
function utc(year: number, month: number, day: number): Date {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date;
}

/** First month of each season, for the northern hemisphere. */
const SEASON_FIRST_MONTHS: ReadonlyMap<string, number> = new Map([
  ["spring", 3],
  ["summer", 6],
  ["autumn", 9],
  ["fall", 9],
  ["winter", 12],
]);

export const SEASON_NAMES: readonly string[] = [...SEASON_FIRST_MONTHS.keys()];

export function seasonPeriod(season: string, year: number): Period | undefined {
  const first = SEASON_FIRST_MONTHS.get(season);
  return first === undefined ? undefined : monthPeriod(year, first, 3);
}
