import { toTimestamp } from "./clock.ts";
import { invalidInput } from "./errors.ts";
import { shorten } from "./text.ts";

const DATE_PATTERN = /^(\d{4})-(\d{2})-(\d{2})/;
const TIME_PATTERN = /^T(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?/;
const ZONE_PATTERN = /^(?:Z|([+-])(\d{2}):?(\d{2}))$/;

/**
 * Turns an ISO 8601 date or datetime into a timestamp (UTC, milliseconds, `Z`). Without a zone it is read as
 * UTC; `dateAlone` says which end of the day a bare date means. Finer fractions are cut off. Throws
 * invalid_input for anything else, including days that do not exist.
 */
export function parseTimestamp(text: string, dateAlone: "start" | "end"): string {
  const date = DATE_PATTERN.exec(text);
  if (date === null) throw invalidTimeError(text);
  const [matched, year, month, day] = date;
  const rest = text.slice(matched.length);
  const start = startOfDay(Number(year), Number(month), Number(day));
  if (start === undefined) {
    throw invalidInput(`must be an existing date; ${matched} does not exist.`);
  }
  if (rest === "") return toTimestamp(new Date(dateAlone === "start" ? start : start + DAY_MS - 1));
  const timeOfDay = parseTimeOfDay(rest);
  if (timeOfDay === undefined) throw invalidTimeError(text);
  const instant = new Date(start + timeOfDay);
  const timestamp = tryToTimestamp(instant);
  if (timestamp !== undefined) return timestamp;
  throw invalidInput("must be between the years 0000 and 9999 in UTC.");
}

/** Returns undefined for an invalid date and for years that a timestamp cannot express. */
export function tryToTimestamp(date: Date): string | undefined {
  const year = date.getUTCFullYear();
  return year >= 0 && year <= 9999 ? toTimestamp(date) : undefined;
}

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

function startOfDay(year: number, month: number, day: number): number | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : undefined;
}

function parseTimeOfDay(text: string): number | undefined {
  const time = TIME_PATTERN.exec(text);
  if (time === null) return undefined;
  const [matched, hour = "", minute = "", second = "0", fraction = ""] = time;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const offset = parseZone(text.slice(matched.length));
  if (offset === undefined) return undefined;
  const milliseconds = Number(fraction.padEnd(3, "0").slice(0, 3));
  return (
    Number(hour) * HOUR_MS +
    Number(minute) * MINUTE_MS +
    Number(second) * SECOND_MS +
    milliseconds -
    offset
  );
}

function parseZone(text: string): number | undefined {
  if (text === "") return 0;
  const zone = ZONE_PATTERN.exec(text);
  if (zone === null) return undefined;
  const [, sign, hours = "0", minutes = "0"] = zone;
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined;
  const offset = Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS;
  return sign === "-" ? -offset : offset;
}

function invalidTimeError(text: string): Error {
  const quoted = JSON.stringify(shorten(text, 40));
  return invalidInput(
    `must be an ISO date or datetime such as 2026-03-31 or 2026-03-31T10:30:00Z, not ${quoted}.`,
  );
}

const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Reads a date as people say it and returns a timestamp: `2d`, `3 weeks ago`, `yesterday`, `monday`, `last
 * month`, `2026`, `2026-03`, or an ISO date or datetime. Days are UTC days, weeks begin on Monday. `side`
 * says which end of a day, week, month or year is meant. Throws invalid_input.
 */
export function parseMoment(text: string, side: "start" | "end", now: Date): string {
  const words = text.trim().toLowerCase().replace(/\s+/g, " ");
  const span = parseRelativeSpan(words, now) ?? parseCalendarSpan(words);
  if (span === undefined) return parseDate(text.trim(), side);
  return checked(side === "start" ? span.start : span.end - 1, text);
}

function parseDate(text: string, side: "start" | "end"): string {
  try {
    return parseTimestamp(text, side);
  } catch (error) {
    // The error for a date that does not exist stays as it is; other text gets the list of all forms.
    if (/^\d{4}-\d{2}-\d{2}/.test(text)) throw error;
    throw invalidMomentError(text);
  }
}

function parseRelativeSpan(words: string, now: Date): Span | undefined {
  return parseAgoSpan(words, now) ?? parseNamedSpan(words, now) ?? parseWeekdaySpan(words, now);
}

const AGO_PATTERN =
  /^-?(\d{1,6}) ?(m|min|mins|minutes?|h|hours?|d|days?|w|weeks?|mo|months?|y|years?)( ago)?$/;

/** The span of words such as `2 days ago`. It is an instant, so its start and end are equal. */
function parseAgoSpan(words: string, now: Date): Span | undefined {
  const match = AGO_PATTERN.exec(words);
  if (match === null) return undefined;
  const [, digits = "", unit = ""] = match;
  const at = spanBefore(now, Number(digits), unit);
  return { start: at, end: at + 1 };
}

function spanBefore(now: Date, count: number, unit: string): number {
  const at = now.getTime();
  if (unit.startsWith("mo")) return monthsBefore(now, count);
  if (unit.startsWith("m")) return at - count * 60_000;
  if (unit.startsWith("h")) return at - count * HOUR_MS;
  if (unit.startsWith("d")) return at - count * DAY_MS;
  if (unit.startsWith("w")) return at - count * 7 * DAY_MS;
  return monthsBefore(now, 12 * count);
}

function monthsBefore(now: Date, months: number): number {
  const date = new Date(now);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() - months);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, last));
  return date.getTime();
}

function parseNamedSpan(words: string, now: Date): Span | undefined {
  const today = startOfUtcDay(now);
  const monday = today - ((now.getUTCDay() + 6) % 7) * DAY_MS;
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  const spans: Readonly<Record<string, Span>> = {
    now: { start: now.getTime(), end: now.getTime() + 1 },
    today: { start: today, end: today + DAY_MS },
    yesterday: { start: today - DAY_MS, end: today },
    "this week": { start: monday, end: monday + 7 * DAY_MS },
    "last week": { start: monday - 7 * DAY_MS, end: monday },
    "this month": monthSpan(year, month),
    "last month": monthSpan(year, month - 1),
    "this year": yearSpan(year),
    "last year": yearSpan(year - 1),
  };
  return Object.hasOwn(spans, words) ? spans[words] : undefined;
}

/** The weekday that is meant: `monday` may be today, `last monday` is always before today. */
function parseWeekdaySpan(words: string, now: Date): Span | undefined {
  const isLast = words.startsWith("last ");
  const name = isLast ? words.slice(5) : words;
  const day = WEEKDAYS.findIndex((weekday) => weekday === name || weekday.slice(0, 3) === name);
  if (day < 0) return undefined;
  const back = (now.getUTCDay() - day + 7) % 7;
  const start = startOfUtcDay(now) - (isLast && back === 0 ? 7 : back) * DAY_MS;
  return { start, end: start + DAY_MS };
}

function parseCalendarSpan(words: string): Span | undefined {
  const match = /^(\d{4})(?:-(0[1-9]|1[0-2]))?$/.exec(words);
  if (match === null) return undefined;
  const [, year = "", month] = match;
  return month === undefined ? yearSpan(Number(year)) : monthSpan(Number(year), Number(month) - 1);
}

function monthSpan(year: number, month: number): Span {
  return { start: utc(year, month), end: utc(year, month + 1) };
}

function yearSpan(year: number): Span {
  return { start: utc(year, 0), end: utc(year + 1, 0) };
}

/** `Date.UTC` would read the years 0 to 99 as 1900 to 1999. */
function utc(year: number, month: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month, 1);
  return date.getTime();
}

function startOfUtcDay(now: Date): number {
  return Math.floor(now.getTime() / DAY_MS) * DAY_MS;
}

function checked(at: number, text: string): string {
  const date = new Date(at);
  const year = date.getUTCFullYear();
  if (Number.isNaN(year) || year < 0 || year > 9999) throw invalidMomentError(text);
  return toTimestamp(date);
}

function invalidMomentError(text: string): Error {
  const quoted = JSON.stringify(shorten(text, 40));
  return invalidInput(
    `must be a date such as 2026-03-31, 2026-03, 2d, "3 weeks ago", yesterday, monday, "last month" or 2026-03-31T10:30:00Z, not ${quoted}.`,
  );
}

/** Such as `just now`, `3 min ago`, `2 days ago`, `in 5 min`. */
export function formatAge(timestamp: string, now: Date): string {
  const elapsed = now.getTime() - Date.parse(timestamp);
  const span = describeSpan(Math.abs(elapsed));
  if (span === undefined) return "just now";
  return elapsed < 0 ? `in ${span}` : `${span} ago`;
}

/** Undefined below a minute. Months and years are those of the mean Gregorian year. */
function describeSpan(milliseconds: number): string | undefined {
  const year = 365.2425 * DAY_MS;
  if (milliseconds < MINUTE_MS) return undefined;
  if (milliseconds < HOUR_MS) return `${Math.floor(milliseconds / MINUTE_MS)} min`;
  if (milliseconds < DAY_MS) return `${Math.floor(milliseconds / HOUR_MS)} h`;
  if (milliseconds < 60 * DAY_MS) return pluralize(milliseconds / DAY_MS, "day");
  if (milliseconds < 2 * year) return pluralize(milliseconds / (year / 12), "month");
  return pluralize(milliseconds / year, "year");
}

function pluralize(count: number, unit: string): string {
  const rounded = Math.floor(count);
  return `${rounded} ${unit}${rounded === 1 ? "" : "s"}`;
}
