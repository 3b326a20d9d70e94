import { lazy } from "../../../shared/collections.ts";
import {
  monthOfDay,
  monthPeriod,
  type Period,
  SEASON_NAMES,
  seasonPeriod,
  singleDay,
  weekdayOfDay,
  yearOfDay,
  yearPeriod,
} from "./period.ts";

/** Words for nearby days in ten languages, in lower case, with the distance from today. */
const DAY_WORDS: readonly (readonly [distance: number, words: readonly string[]])[] = [
  [
    -2,
    [
      "day before yesterday",
      "vorgestern",
      "avant-hier",
      "anteayer",
      "toissapäivänä",
      "позавчера",
      "evvelsi gün",
      "前天",
      "一昨日",
      "그저께",
      "เมื่อวานซืน",
    ],
  ],
  [
    -1,
    [
      "yesterday",
      "last night",
      "gestern",
      "hier",
      "ayer",
      "eilen",
      "вчера",
      "dün",
      "昨天",
      "昨日",
      "어제",
      "เมื่อวาน",
    ],
  ],
  [
    0,
    [
      "today",
      "tonight",
      "this morning",
      "this afternoon",
      "this evening",
      "heute",
      "aujourd'hui",
      "aujourd’hui",
      "hoy",
      "tänään",
      "сегодня",
      "bugün",
      "今天",
      "今日",
      "오늘",
      "วันนี้",
    ],
  ],
  [1, ["tomorrow", "demain", "huomenna", "завтра", "yarın", "明天", "明日", "내일", "พรุ่งนี้"]],
  [
    2,
    [
      "day after tomorrow",
      "übermorgen",
      "après-demain",
      "pasado mañana",
      "ylihuomenna",
      "послезавтра",
      "öbür gün",
      "后天",
      "明後日",
      "모레",
      "มะรืนนี้",
    ],
  ],
];

/** "Last week", "last month" and "last year" in nine languages. English uses patterns instead. */
const LAST_WORDS: readonly (readonly [unit: "week" | "month" | "year", words: string[]])[] = [
  [
    "week",
    [
      "letzte woche",
      "letzter woche",
      "letzten woche",
      "semaine dernière",
      "semana pasada",
      "viime viikolla",
      "viime viikon",
      "прошлой неделе",
      "geçen hafta",
      "上周",
      "上星期",
      "先週",
      "지난주",
      "สัปดาห์ที่แล้ว",
      "อาทิตย์ที่แล้ว",
    ],
  ],
  [
    "month",
    [
      "letzten monat",
      "letzter monat",
      "mois dernier",
      "mes pasado",
      "viime kuussa",
      "viime kuun",
      "прошлом месяце",
      "geçen ay",
      "上个月",
      "先月",
      "지난달",
      "เดือนที่แล้ว",
    ],
  ],
  [
    "year",
    [
      "letztes jahr",
      "letzten jahr",
      "année dernière",
      "an dernier",
      "año pasado",
      "viime vuonna",
      "viime vuoden",
      "прошлом году",
      "geçen yıl",
      "geçen sene",
      "去年",
      "昨年",
      "작년",
      "ปีที่แล้ว",
    ],
  ],
];

/** Word boundaries of a date. Scripts without spaces need none. */
export const BEFORE_WORD = "(?<![\\p{L}\\p{N}])";
const AFTER_WORD = "(?![\\p{L}\\p{N}])";

const UNSPACED = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Thai}]/u;

/** Alternation of these words, longest first, for expressions with the flags `iu`. */
export function createWordPattern(words: readonly string[], endings = ""): string {
  const longestFirst = [...words].sort((a, b) => b.length - a.length);
  const unspaced = longestFirst.filter((word) => UNSPACED.test(word));
  const spaced = longestFirst.filter((word) => !UNSPACED.test(word));
  const alternatives = [
    ...(unspaced.length > 0 ? [unspaced.join("|")] : []),
    ...(spaced.length > 0 ? [`${BEFORE_WORD}(?:${spaced.join("|")})${endings}${AFTER_WORD}`] : []),
  ];
  return `(?:${alternatives.join("|")})`;
}

const DAYS_PER_WEEK = 7;
const SATURDAY_NUMBER = 5;
/** Tolerance in days for phrases such as "three weeks ago", which are rarely exact. */
const FUZZY_DAYS = 3;
const UNITS_OF_FEW = 3;
const NUMBER_WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split(
  " ",
);
const WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const STEP_WORDS: ReadonlyMap<string, number> = new Map([
  ["last", -1],
  ["previous", -1],
  ["this", 0],
  ["next", 1],
  ["coming", 1],
]);

/** Pattern for a number of time units; `unitsAway` reads its groups. */
export const UNITS_PATTERN = `(?:(?<count>\\d{1,3}|an?|the|${NUMBER_WORDS.join("|")}|(?:a\\s+)?couple(?:\\s+of)?|(?:a\\s+)?few)\\s+)?(?<unit>day|night|weekend|week|month|year|${WEEKDAYS.join("|")})s?`;

const agoPattern = lazy(() => expression(`${UNITS_PATTERN}\\s+(?:ago|back|earlier)`));
const pastPattern = lazy(() => expression(`past\\s+${UNITS_PATTERN}`));
const nextToPattern = lazy(() =>
  expression(
    `(?<which>${[...STEP_WORDS.keys()].join("|")})\\s+(?<what>week|weekend|month|year|${[...WEEKDAYS, ...SEASON_NAMES].join("|")})`,
  ),
);
const onWeekdayPattern = lazy(() => expression(`on\\s+(?<what>${WEEKDAYS.join("|")})`));
const namedDayPatterns = lazy(() =>
  DAY_WORDS.toSorted(([a], [b]) => Math.abs(b) - Math.abs(a)).map(
    ([distance, words]) => [new RegExp(createWordPattern(words), "giu"), distance] as const,
  ),
);
const lastPatterns = lazy(() =>
  LAST_WORDS.map(([unit, words]) => [new RegExp(createWordPattern(words), "giu"), unit] as const),
);
/** Cheap filter: most texts name no time, and matching each form takes ten times as long. */
const mayNameTimePattern = lazy(
  () =>
    new RegExp(
      [
        `\\b(?:ago|back|earlier|past|${[...STEP_WORDS.keys()].join("|")}|on (?=[mtwfs]))\\b`,
        ...[...DAY_WORDS, ...LAST_WORDS].flatMap(([, words]) => words),
      ].join("|"),
      "i",
    ),
);

export interface UnitGroups {
  readonly count?: string | undefined;
  readonly unit?: string | undefined;
}

interface RelativeDateGroups extends UnitGroups {
  readonly which?: string | undefined;
  readonly what?: string | undefined;
}

export interface RelativeDates {
  readonly periods: readonly Period[];
  readonly rest: string;
}

export function relativeDates(text: string, today: number): RelativeDates {
  if (!mayNameTimePattern().test(text)) return { periods: [], rest: text };
  const found: (Period | undefined)[] = [];
  let rest = text;
  const take = (pattern: RegExp, read: (groups: RelativeDateGroups) => Period | undefined) => {
    rest = rest.replace(pattern, (...match) => {
      const groups = match.at(-1);
      found.push(read(typeof groups === "object" ? (groups as RelativeDateGroups) : {}));
      return " ";
    });
  };
  for (const [pattern, distance] of namedDayPatterns())
    take(pattern, () => singleDay(today + distance));
  for (const [pattern, unit] of lastPatterns())
    take(pattern, () => periodStepsAway(today, unit, -1));
  take(agoPattern(), (groups) => unitsAway(today, groups, -1));
  take(pastPattern(), (groups) => periodUpTo(today, groups));
  take(nextToPattern(), ({ which = "", what = "" }) =>
    periodStepsAway(today, what.toLowerCase(), STEP_WORDS.get(which.toLowerCase()) ?? 0),
  );
  take(onWeekdayPattern(), ({ what = "" }) => weekdayAway(today + 1, what.toLowerCase(), -1));
  return { periods: found.filter((period) => period !== undefined), rest };
}

export function unitsAway(day: number, groups: UnitGroups, direction: -1 | 1): Period | undefined {
  const unit = (groups.unit ?? "").toLowerCase();
  const count = parseCount(groups.count);
  const away = direction * count;
  switch (unit) {
    case "day":
    case "night":
      return singleDay(day + away);
    case "week":
      // "The week before" ends directly before the day; "a week before" is centered a week earlier.
      if (isDefinite(groups.count)) return adjacentPeriod(day, DAYS_PER_WEEK, direction);
      return periodAround(day + away * DAYS_PER_WEEK);
    case "weekend":
    case "month":
    case "year":
      return periodStepsAway(day, unit, away);
    default: {
      const nearest = weekdayAway(day, unit, direction);
      const additional = direction * (count - 1) * DAYS_PER_WEEK;
      return nearest && { from: nearest.from + additional, to: nearest.to + additional };
    }
  }
}

function isDefinite(count: string | undefined): boolean {
  return count === undefined || count.toLowerCase() === "the";
}

function parseCount(written = "one"): number {
  const word = written.toLowerCase().replace(/^a\s+/u, "");
  if (word.startsWith("couple")) return 2;
  if (word === "few") return UNITS_OF_FEW;
  if (["a", "an", "the"].includes(word)) return 1;
  const named = NUMBER_WORDS.indexOf(word);
  return named < 0 ? Number(word) : named;
}

function adjacentPeriod(day: number, length: number, direction: -1 | 1): Period {
  return direction < 0 ? { from: day - length, to: day - 1 } : { from: day + 1, to: day + length };
}

function periodAround(day: number): Period {
  return { from: day - FUZZY_DAYS, to: day + FUZZY_DAYS };
}

function periodUpTo(today: number, groups: UnitGroups): Period | undefined {
  const first = unitsAway(today, groups, -1);
  return first && { from: first.from, to: today };
}

function periodStepsAway(day: number, what: string, steps: number): Period | undefined {
  const monday = day - weekdayOfDay(day) + steps * DAYS_PER_WEEK;
  switch (what) {
    case "week":
      return { from: monday, to: monday + DAYS_PER_WEEK - 1 };
    case "weekend":
      return { from: monday + SATURDAY_NUMBER, to: monday + DAYS_PER_WEEK - 1 };
    case "month":
      return monthPeriod(yearOfDay(day), monthOfDay(day) + steps);
    case "year":
      return yearPeriod(yearOfDay(day) + steps);
    default:
      return SEASON_NAMES.includes(what)
        ? seasonAway(day, what, steps)
        : weekdayAway(day, what, steps < 0 ? -1 : 1);
  }
}

/** The last season has ended, the next has not begun, and "this" season is in the current year. */
function seasonAway(day: number, season: string, steps: number): Period | undefined {
  const year = yearOfDay(day);
  const ofYear = seasonPeriod(season, year);
  if (ofYear === undefined || steps === 0) return ofYear;
  const isThere = steps < 0 ? ofYear.to < day : ofYear.from > day;
  return isThere ? ofYear : seasonPeriod(season, year + steps);
}

function weekdayAway(day: number, weekday: string, direction: -1 | 1): Period | undefined {
  const requested = WEEKDAYS.indexOf(weekday);
  if (requested < 0) return undefined;
  const back = (weekdayOfDay(day) - requested + DAYS_PER_WEEK) % DAYS_PER_WEEK || DAYS_PER_WEEK;
  return singleDay(
    direction < 0 ? day - back : day + ((DAYS_PER_WEEK - back) % DAYS_PER_WEEK || DAYS_PER_WEEK),
  );
}

function expression(pattern: string): RegExp {
  return new RegExp(`${BEFORE_WORD}${pattern}${AFTER_WORD}`, "giu");
}
