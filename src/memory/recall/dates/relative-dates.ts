import { AFTER_WORD, anyWord, BEFORE_WORD } from "./date-pattern.ts";
import { DAY_WORDS } from "./day-words.ts";
import { LAST_WORDS } from "./last-words.ts";
import {
  monthOf,
  monthPeriod,
  type Period,
  singleDay,
  weekdayOf,
  yearOf,
  yearPeriod,
} from "./period.ts";
import { SEASONS, seasonPeriod } from "./seasons.ts";

const WEEK = 7;
const SATURDAY = 5;
/** Who says "three weeks ago" does not mean the very day. */
const DAYS_AROUND = 3;
/** What "a few" mostly are. */
const A_FEW = 3;
const COUNTS = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");
const WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const STEPS: ReadonlyMap<string, number> = new Map([
  ["last", -1],
  ["previous", -1],
  ["this", 0],
  ["next", 1],
  ["coming", 1],
]);

/** Pattern of a number of units of time, whose groups `unitsAway` reads. */
export const UNITS = `(?:(?<count>\\d{1,3}|an?|the|${COUNTS.join("|")}|(?:a\\s+)?couple(?:\\s+of)?|(?:a\\s+)?few)\\s+)?(?<unit>day|night|weekend|week|month|year|${WEEKDAYS.join("|")})s?`;

const AGO = expression(`${UNITS}\\s+(?:ago|back|earlier)`);
const PAST = expression(`past\\s+${UNITS}`);
const NEXT_TO = expression(
  `(?<which>${[...STEPS.keys()].join("|")})\\s+(?<what>week|weekend|month|year|${[...WEEKDAYS, ...SEASONS].join("|")})`,
);
const ON_WEEKDAY = expression(`on\\s+(?<what>${WEEKDAYS.join("|")})`);
/** "The day before yesterday" is not yesterday, so the farthest are looked for first. */
const NAMED_DAYS = DAY_WORDS.toSorted(([a], [b]) => Math.abs(b) - Math.abs(a)).map(
  ([distance, words]) => [new RegExp(anyWord(words), "giu"), distance] as const,
);
const LAST = LAST_WORDS.map(([unit, words]) => [new RegExp(anyWord(words), "giu"), unit] as const);
/** Most texts name no time, and to see that takes a tenth of the work of looking for each form. */
const MAY_NAME_TIME = new RegExp(
  [
    `\\b(?:ago|back|earlier|past|${[...STEPS.keys()].join("|")}|on (?=[mtwfs]))\\b`,
    ...[...DAY_WORDS, ...LAST_WORDS].flatMap(([, words]) => words),
  ].join("|"),
  "i",
);

/** What the pattern `UNITS` matched. */
export interface Units {
  readonly count?: string | undefined;
  readonly unit?: string | undefined;
}

interface Groups extends Units {
  readonly which?: string | undefined;
  readonly what?: string | undefined;
}

export interface RelativeDates {
  readonly periods: readonly Period[];
  /** The text without them. */
  readonly rest: string;
}

/** The periods that a text names by the day on which it was said. */
export function relativeDates(text: string, today: number): RelativeDates {
  if (!MAY_NAME_TIME.test(text)) return { periods: [], rest: text };
  const found: (Period | undefined)[] = [];
  let rest = text;
  const take = (pattern: RegExp, read: (groups: Groups) => Period | undefined) => {
    rest = rest.replace(pattern, (...match) => {
      const groups = match.at(-1);
      found.push(read(typeof groups === "object" ? (groups as Groups) : {}));
      return " ";
    });
  };
  for (const [pattern, distance] of NAMED_DAYS) take(pattern, () => singleDay(today + distance));
  for (const [pattern, unit] of LAST) take(pattern, () => stepsAway(today, unit, -1));
  take(AGO, (groups) => unitsAway(today, groups, -1));
  take(PAST, (groups) => upTo(today, groups));
  take(NEXT_TO, ({ which = "", what = "" }) =>
    stepsAway(today, what.toLowerCase(), STEPS.get(which.toLowerCase()) ?? 0),
  );
  take(ON_WEEKDAY, ({ what = "" }) => weekdayAway(today + 1, what.toLowerCase(), -1));
  return { periods: found.filter((period) => period !== undefined), rest };
}

/** So many units before a day, or after it, as `UNITS` names them. */
export function unitsAway(day: number, groups: Units, direction: -1 | 1): Period | undefined {
  const unit = (groups.unit ?? "").toLowerCase();
  const count = countOf(groups.count);
  const away = direction * count;
  switch (unit) {
    case "day":
    case "night":
      return singleDay(day + away);
    case "week":
      // "The week before" a day ends with it, and "a week before" is about a day.
      if (isTheOne(groups.count)) return beside(day, WEEK, direction);
      return around(day + away * WEEK);
    case "weekend":
    case "month":
    case "year":
      return stepsAway(day, unit, away);
    default: {
      const nearest = weekdayAway(day, unit, direction);
      const further = direction * (count - 1) * WEEK;
      return nearest && { from: nearest.from + further, to: nearest.to + further };
    }
  }
}

function isTheOne(count: string | undefined): boolean {
  return count === undefined || count.toLowerCase() === "the";
}

function countOf(written = "one"): number {
  const word = written.toLowerCase().replace(/^a\s+/u, "");
  if (word.startsWith("couple")) return 2;
  if (word === "few") return A_FEW;
  if (["a", "an", "the"].includes(word)) return 1;
  const named = COUNTS.indexOf(word);
  return named < 0 ? Number(word) : named;
}

function beside(day: number, length: number, direction: -1 | 1): Period {
  return direction < 0 ? { from: day - length, to: day - 1 } : { from: day + 1, to: day + length };
}

function around(day: number): Period {
  return { from: day - DAYS_AROUND, to: day + DAYS_AROUND };
}

/** "The past two weeks": they end today. */
function upTo(today: number, groups: Units): Period | undefined {
  const first = unitsAway(today, groups, -1);
  return first && { from: first.from, to: today };
}

/** The week, weekend, month, year, weekday or season that lies so many away from that of a day. */
function stepsAway(day: number, what: string, steps: number): Period | undefined {
  const monday = day - weekdayOf(day) + steps * WEEK;
  switch (what) {
    case "week":
      return { from: monday, to: monday + WEEK - 1 };
    case "weekend":
      return { from: monday + SATURDAY, to: monday + WEEK - 1 };
    case "month":
      return monthPeriod(yearOf(day), monthOf(day) + steps);
    case "year":
      return yearPeriod(yearOf(day) + steps);
    default:
      return SEASONS.includes(what)
        ? seasonAway(day, what, steps)
        : weekdayAway(day, what, steps < 0 ? -1 : 1);
  }
}

/** The last one is over, the next one has not begun, and this one is that of the year. */
function seasonAway(day: number, season: string, steps: number): Period | undefined {
  const year = yearOf(day);
  const ofYear = seasonPeriod(season, year);
  if (ofYear === undefined || steps === 0) return ofYear;
  const isThere = steps < 0 ? ofYear.to < day : ofYear.from > day;
  return isThere ? ofYear : seasonPeriod(season, year + steps);
}

/** The nearest such weekday before a day or after it. */
function weekdayAway(day: number, weekday: string, direction: -1 | 1): Period | undefined {
  const wanted = WEEKDAYS.indexOf(weekday);
  if (wanted < 0) return undefined;
  const back = (weekdayOf(day) - wanted + WEEK) % WEEK || WEEK;
  return singleDay(direction < 0 ? day - back : day + ((WEEK - back) % WEEK || WEEK));
}

function expression(pattern: string): RegExp {
  return new RegExp(`${BEFORE_WORD}${pattern}${AFTER_WORD}`, "giu");
}
