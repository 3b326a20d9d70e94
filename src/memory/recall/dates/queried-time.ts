import { isStopWord, splitWords } from "../../search/query-words.ts";
import { findNamedDates, type NamedDate } from "./named-dates.ts";
import {
  dayNumber,
  type Period,
  periodLength,
  periodSince,
  periodUntil,
  sharedDays,
  singleDay,
  yearOfDay,
} from "./period.ts";
import { BEFORE_WORD, relativeDates, UNITS_PATTERN, unitsAway } from "./relative-dates.ts";

export interface QueriedTime {
  readonly periods: readonly Period[];
  readonly yearly: readonly NamedDate[];
  /** True if the query contains nothing but a time. */
  readonly isAlone: boolean;
}

/** A date at its position in the query, or a range of two dates. */
interface NamedRange extends Pick<NamedDate, "start" | "end"> {
  readonly date: NamedDate;
  readonly period: Period | undefined;
}

/** Only this many characters of a query are searched for dates. */
const MAX_CHARACTERS = 2000;
const HAPPEN_WORDS: ReadonlySet<string> = new Set(["happen", "happens", "happened"]);
const BETWEEN_PREFIX = createPrefixPattern("(?:between|from)");
const AND_CONNECTIVE = /^\s*(?:and|to|until|till|through|-|–)\s*$/iu;
const SINCE_PREFIX = createPrefixPattern("(?:since|after)");
const UNTIL_PREFIX = createPrefixPattern("(?:before|until|till|by)");
const DISTANCE_PREFIX = createPrefixPattern(`${UNITS_PATTERN}\\s+(?<side>before|after)`);

/** Parses the time in a query; undefined if there is none. `today` is the day of the query. */
export function parseQueriedTime(wholeQuery: string, today: number): QueriedTime | undefined {
  const query = wholeQuery.slice(0, MAX_CHARACTERS);
  const named = joinRanges(query, findNamedDates(query));
  const periods: Period[] = [];
  let undated = query;
  for (const { start, end, period } of named.toReversed()) {
    const before = query.slice(0, start);
    const intended = period && resolveDate(before, period);
    if (intended !== undefined) periods.unshift(intended.period);
    undated = `${before.slice(0, intended?.start)} ${undated.slice(end)}`;
  }
  const yearly = named.filter(({ period }) => period === undefined).map(({ date }) => date);
  // If the query also names a single day, "last week" means the week before that day.
  const reported = periods.find((period) => periodLength(period) === 1)?.from;
  const relative = relativeDates(undated, reported ?? today);
  periods.push(...relative.periods);
  if (periods.length + yearly.length === 0) return undefined;
  return { periods, yearly, isAlone: splitWords(relative.rest).every(isUninformative) };
}

function isUninformative(word: string): boolean {
  return isStopWord(word) || HAPPEN_WORDS.has(word);
}

export function periodsAround({ periods, yearly }: QueriedTime, { from, to }: Period): Period[] {
  const years = new Set([yearOfDay(from), yearOfDay(to)]);
  const inYears = yearly.flatMap((date) =>
    Array.from(years, (year) => date.inYear(year)).filter((period) => period !== undefined),
  );
  return [...periods, ...inYears];
}

function joinRanges(query: string, dates: readonly NamedDate[]): NamedRange[] {
  const named: NamedRange[] = [];
  for (const date of dates) {
    const last = named.at(-1);
    const range = last && matchRange(query, last.date, date);
    if (range === undefined) named.push({ ...date, date, period: periodInOwnYear(date) });
    else named.splice(-1, 1, range);
  }
  return named;
}

/** Parses "between 11 August and 15 August 2023". The second date's year applies to both. */
function matchRange(query: string, first: NamedDate, second: NamedDate): NamedRange | undefined {
  const isRange =
    BETWEEN_PREFIX.test(query.slice(0, first.start)) &&
    AND_CONNECTIVE.test(query.slice(first.end, second.start));
  const from = isRange ? first.inYear(first.year ?? second.year ?? Number.NaN) : undefined;
  const to = periodInOwnYear(second);
  if (from === undefined || to === undefined) return undefined;
  const period = { from: from.from, to: Math.max(from.to, to.to) };
  return { date: second, start: first.start, end: second.end, period };
}

function periodInOwnYear({ year, inYear }: NamedDate): Period | undefined {
  return year === undefined ? undefined : inYear(year);
}

function resolveDate(words: string, period: Period): { period: Period; start: number } {
  const away = DISTANCE_PREFIX.exec(words);
  if (away?.groups !== undefined) {
    const { side = "", ...units } = away.groups;
    const isBefore = side.toLowerCase() === "before";
    const found = unitsAway(isBefore ? period.from : period.to, units, isBefore ? -1 : 1);
    if (found !== undefined) return { period: found, start: away.index };
  }
  const from = SINCE_PREFIX.exec(words);
  if (from !== null) return { period: periodSince(period), start: from.index };
  const to = UNTIL_PREFIX.exec(words);
  if (to !== null) return { period: periodUntil(period), start: to.index };
  return { period, start: words.length };
}

function createPrefixPattern(pattern: string): RegExp {
  return new RegExp(`${BEFORE_WORD}${pattern}\\s+(?:the\\s+)?$`, "iu");
}

export interface StatedTime {
  readonly at: string;
  readonly text: string;
}

/**
 * Returns the share of an episode's time that the query covers, 0..1. An episode's time is its own
 * day or a time in its text, such as "yesterday" or "two weeks ago". For a queried day, an episode
 * about a whole year matches weakly.
 */
export function timeOverlap(request: QueriedTime, { at, text }: StatedTime): number {
  const day = dayNumber(at);
  // Ignores a damaged timestamp; the episode can be found by other means.
  if (Number.isNaN(day)) return 0;
  let share = 0;
  for (const reported of [singleDay(day), ...relativeDates(text, day).periods]) {
    share = Math.max(share, overlapRatio(request, reported));
    if (share === 1) break;
  }
  return share;
}

function overlapRatio(request: QueriedTime, reported: Period): number {
  return Math.max(
    0,
    ...periodsAround(request, reported).map(
      (period) => sharedDays(period, reported) / periodLength(reported),
    ),
  );
}
