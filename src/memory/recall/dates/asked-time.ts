import { isStopWord, wordsOf } from "../../search/query-words.ts";
import { BEFORE_WORD } from "./date-pattern.ts";
import { type NamedDate, namedDates } from "./named-dates.ts";
import { lengthOf, type Period, since, until, yearOf } from "./period.ts";
import { relativeDates, UNITS, unitsAway } from "./relative-dates.ts";

/** When what is asked for happened, as a query says it. */
export interface AskedTime {
  readonly periods: readonly Period[];
  /** Days and months of any year. */
  readonly yearly: readonly NamedDate[];
  /** Whether nothing else is asked for. */
  readonly isAlone: boolean;
}

/** A date in its place, or two of them with what lies between. */
interface Named extends Pick<NamedDate, "start" | "end"> {
  readonly date: NamedDate;
  /** Undefined where it has no year. */
  readonly period: Period | undefined;
}

/** A long query is read for dates at its beginning; the rest only costs time. */
const MOST_CHARACTERS = 2000;
/** What is asked of a day where nothing else is. */
const HAPPENED: ReadonlySet<string> = new Set(["happen", "happens", "happened"]);
const BETWEEN = before("(?:between|from)");
const AND = /^\s*(?:and|to|until|till|through|-|–)\s*$/iu;
const SINCE = before("(?:since|after)");
const UNTIL = before("(?:before|until|till|by)");
const AWAY = before(`${UNITS}\\s+(?<side>before|after)`);

/** Undefined where the query names no time. `today` is the day on which it is asked. */
export function askedTime(wholeQuery: string, today: number): AskedTime | undefined {
  const query = wholeQuery.slice(0, MOST_CHARACTERS);
  const named = joinRanges(query, namedDates(query));
  const periods: Period[] = [];
  let undated = query;
  for (const { start, end, period } of named.toReversed()) {
    const before = query.slice(0, start);
    const meant = period && meaningOf(before, period);
    if (meant !== undefined) periods.unshift(meant.period);
    undated = `${before.slice(0, meant?.start)} ${undated.slice(end)}`;
  }
  const yearly = named.filter(({ period }) => period === undefined).map(({ date }) => date);
  // "Last week", as told on a day that the query names, is the week before that day.
  const told = periods.find((period) => lengthOf(period) === 1)?.from;
  const relative = relativeDates(undated, told ?? today);
  periods.push(...relative.periods);
  if (periods.length + yearly.length === 0) return undefined;
  return { periods, yearly, isAlone: wordsOf(relative.rest).every(saysNothing) };
}

function saysNothing(word: string): boolean {
  return isStopWord(word) || HAPPENED.has(word);
}

/** The periods that are meant, in the years of this one. */
export function periodsAround({ periods, yearly }: AskedTime, { from, to }: Period): Period[] {
  const years = new Set([yearOf(from), yearOf(to)]);
  const inYears = yearly.flatMap((date) =>
    Array.from(years, (year) => date.inYear(year)).filter((period) => period !== undefined),
  );
  return [...periods, ...inYears];
}

function joinRanges(query: string, dates: readonly NamedDate[]): Named[] {
  const named: Named[] = [];
  for (const date of dates) {
    const last = named.at(-1);
    const range = last && rangeOf(query, last.date, date);
    if (range === undefined) named.push({ ...date, date, period: inOwnYear(date) });
    else named.splice(-1, 1, range);
  }
  return named;
}

/** "Between 11 August and 15 August 2023": the year of the second is that of both. */
function rangeOf(query: string, first: NamedDate, second: NamedDate): Named | undefined {
  const isRange =
    BETWEEN.test(query.slice(0, first.start)) && AND.test(query.slice(first.end, second.start));
  const from = isRange ? first.inYear(first.year ?? second.year ?? Number.NaN) : undefined;
  const to = inOwnYear(second);
  if (from === undefined || to === undefined) return undefined;
  const period = { from: from.from, to: Math.max(from.to, to.to) };
  return { date: second, start: first.start, end: second.end, period };
}

function inOwnYear({ year, inYear }: NamedDate): Period | undefined {
  return year === undefined ? undefined : inYear(year);
}

/** What a period means after these words, and where those of them begin that belong to it. */
function meaningOf(words: string, period: Period): { period: Period; start: number } {
  const away = AWAY.exec(words);
  if (away?.groups !== undefined) {
    const { side = "", ...units } = away.groups;
    const isBefore = side.toLowerCase() === "before";
    const found = unitsAway(isBefore ? period.from : period.to, units, isBefore ? -1 : 1);
    if (found !== undefined) return { period: found, start: away.index };
  }
  const from = SINCE.exec(words);
  if (from !== null) return { period: since(period), start: from.index };
  const to = UNTIL.exec(words);
  if (to !== null) return { period: until(period), start: to.index };
  return { period, start: words.length };
}

/** What the words before a date end in. */
function before(pattern: string): RegExp {
  return new RegExp(`${BEFORE_WORD}${pattern}\\s+(?:the\\s+)?$`, "iu");
}
