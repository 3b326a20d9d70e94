import { lazy } from "../../../shared/collections.ts";
import {
  dayOfDate,
  monthPeriod,
  type Period,
  periodLength,
  SEASON_NAMES,
  seasonPeriod,
  singleDay,
  yearPeriod,
} from "./period.ts";
import { createWordPattern } from "./relative-dates.ts";

interface Calendar {
  /** The twelve months in lower case; slashes separate alternatives. */
  readonly months: string;
  readonly endings?: string;
}

const CALENDARS: readonly Calendar[] = [
  {
    months:
      "january/jan february/feb march/mar april/apr may june/jun july/jul august/aug september/sept/sep october/oct november/nov december/dec",
  },
  {
    months:
      "januar/jänner februar märz april mai juni juli august september oktober november dezember",
  },
  {
    months: "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
  },
  {
    months:
      "enero febrero marzo abril mayo junio julio agosto septiembre/setiembre octubre noviembre diciembre",
  },
  {
    months:
      "tammikuu helmikuu maaliskuu huhtikuu toukokuu kesäkuu heinäkuu elokuu syyskuu lokakuu marraskuu joulukuu",
    endings: "(?:n|ta|ssa|sta|hun)?",
  },
  {
    months:
      "январь/января/январе февраль/февраля/феврале март/марта/марте апрель/апреля/апреле май/мая/мае июнь/июня/июне июль/июля/июле август/августа/августе сентябрь/сентября/сентябре октябрь/октября/октябре ноябрь/ноября/ноябре декабрь/декабря/декабре",
  },
  {
    months: "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık",
    endings: "(?:['’]?[dt][ae]n?)?",
  },
  {
    months:
      "มกราคม กุมภาพันธ์ มีนาคม เมษายน พฤษภาคม มิถุนายน กรกฎาคม สิงหาคม กันยายน ตุลาคม พฤศจิกายน ธันวาคม",
  },
  { months: "一月 二月 三月 四月 五月 六月 七月 八月 九月 十月 十一月 十二月" },
];

const monthNumbers = lazy<ReadonlyMap<string, number>>(
  () =>
    new Map(
      CALENDARS.flatMap(({ months }) =>
        months
          .split(" ")
          .flatMap((forms, index) => forms.split("/").map((name) => [name, index + 1] as const)),
      ),
    ),
);

const AMBIGUOUS_MONTHS: ReadonlySet<string> = new Set(
  "jan feb mar apr may jun jul aug sep sept oct nov dec march mars mart ocak ekim aralık".split(
    " ",
  ),
);

/** Month pattern, for expressions with the flags `iu`. */
const month = lazy(
  () =>
    `(?:${CALENDARS.map(({ months, endings }) => createWordPattern(months.split(/[ /]/), endings)).join("|")})`,
);

/**
 * Returns the month number, from 1, of a match of the month pattern. The longest matching name
 * wins; suffixes are ignored.
 */
function monthNumber(written: string): number {
  const name = written.toLowerCase();
  for (let end = name.length; end > 0; end -= 1) {
    const number = monthNumbers().get(name.slice(0, end));
    if (number !== undefined) return number;
  }
  throw new RangeError(`${written} is no month.`);
}

function isAmbiguousMonth(written: string): boolean {
  return AMBIGUOUS_MONTHS.has(written.toLowerCase());
}

/** Pattern for qualifiers such as "early" before a month or year. */
const PERIOD_PART =
  "(?:(?<ordinal>first|second|third|fourth|last)\\s+(?<unit>week|half)\\s+of|(?<third>early|mid|late|beginning\\s+of|start\\s+of|middle\\s+of|end\\s+of))[\\s-]+(?:the\\s+)?";

type NamedGroups = Readonly<Record<string, string | undefined>>;

const ORDINALS = ["first", "second", "third", "fourth"];
const DAYS_PER_WEEK = 7;

/** Returns the part of the period named by the groups of `PART`, or the whole period. */
function parsePart(period: Period, { ordinal, unit, third }: NamedGroups): Period {
  if (ordinal !== undefined && unit !== undefined) {
    const length =
      unit.toLowerCase() === "week" ? DAYS_PER_WEEK : Math.ceil(periodLength(period) / 2);
    const nth = ORDINALS.indexOf(ordinal.toLowerCase());
    return nth < 0 ? lastPart(period, length) : findNthPart(period, nth, length);
  }
  if (third === undefined) return period;
  const length = Math.ceil(periodLength(period) / 3);
  if (/^(?:early|beginning|start)/iu.test(third)) return findNthPart(period, 0, length);
  return /^mid/iu.test(third) ? findNthPart(period, 1, length) : lastPart(period, length);
}

function findNthPart({ from, to }: Period, nth: number, length: number): Period {
  const start = from + nth * length;
  return { from: start, to: Math.min(to, start + length - 1) };
}

function lastPart({ from, to }: Period, length: number): Period {
  return { from: Math.max(from, to - length + 1), to };
}

export interface NamedDate {
  readonly start: number;
  readonly end: number;
  /** Undefined if the text names no year. */
  readonly year: number | undefined;
  /** Returns the period in a year; undefined if the day does not exist in that year. */
  inYear(year: number): Period | undefined;
}

type Meaning = Pick<NamedDate, "year" | "inYear">;

interface DateForm {
  readonly pattern: RegExp;
  /** Returns possible readings; empty if the match is not a date. */
  read(groups: NamedGroups): Meaning[];
}

const START_BOUNDARY = "(?<![\\p{L}\\p{N}]|\\d[./-])";
const END_BOUNDARY = "(?![\\p{L}\\p{N}]|[./-]\\d)";
const YEAR_GROUP = "(?<year>(?:19|20|25)\\d\\d)";
/** A bare number counts as a year only after a word that often precedes dates. */
const TIME_PREPOSITION = `(?<=${START_BOUNDARY}(?<word>in|im|en|em|of|de|du|during|since|until|till|by|before|after|from|through|around|last|this|next|year|jahr|année|año|vuonna|vuoden|в|с)\\s+)`;
const DAY_GROUP = "(?<day>\\d{1,2})(?:st|nd|rd|th|er|º|\\.)?";
const OPTIONAL_YEAR = `(?:(?:\\s+(?:of|de|del)\\s+|\\s*,\\s*|\\s+)${YEAR_GROUP}${END_BOUNDARY})?`;

/** Ordered by precedence for matches at the same position. */
const forms = lazy<readonly DateForm[]>(() => {
  const MONTH = month();
  return [
    {
      pattern: createForm(
        `${START_BOUNDARY}${YEAR_GROUP}(?<mark>[-/.])(?<month>\\d{1,2})\\k<mark>(?<day>\\d{1,2})(?!\\d)`,
      ),
      read: ({ year, month, day }) => parseDays(year, month, day),
    },
    {
      pattern: createForm(
        `${START_BOUNDARY}(?<day>\\d{1,2})(?<mark>[-/.])(?<month>\\d{1,2})\\k<mark>${YEAR_GROUP}(?!\\d)`,
      ),
      read: ({ year, month, day, mark }) => [
        ...parseDays(year, month, day),
        ...(mark === "/" && month !== day ? parseDays(year, day, month) : []),
      ],
    },
    {
      pattern: createForm(`${START_BOUNDARY}${YEAR_GROUP}-(?<month>0[1-9]|1[0-2])${END_BOUNDARY}`),
      read: ({ year, month }) => parseMonths(year, Number(month)),
    },
    {
      pattern: createForm(
        `(?:${YEAR_GROUP}\\s*[年년]\\s*)?(?<!\\d)(?<month>\\d{1,2})\\s*[月월](?:\\s*(?<day>\\d{1,2})\\s*[日일])?`,
      ),
      read: ({ year, month, day }) =>
        day === undefined ? parseMonths(year, Number(month)) : parseDays(year, month, day),
    },
    { pattern: createForm(`${YEAR_GROUP}\\s*[年년]`), read: ({ year }) => parseYears(year) },
    {
      pattern: createForm(
        `${START_BOUNDARY}${DAY_GROUP}\\s*(?:(?:of|de)\\s+)?(?<name>${MONTH})${OPTIONAL_YEAR}`,
      ),
      read: ({ year, name = "", day }) => parseDays(year, monthNumber(name), day),
    },
    {
      pattern: createForm(`(?<name>${MONTH})\\.?\\s+${DAY_GROUP}${END_BOUNDARY}${OPTIONAL_YEAR}`),
      read: ({ year, name = "", day }) => parseDays(year, monthNumber(name), day),
    },
    {
      pattern: createForm(
        `(?:${PERIOD_PART}|${TIME_PREPOSITION}|)(?<name>${MONTH})${OPTIONAL_YEAR}`,
      ),
      read: ({ year, name = "", ...how }) => {
        const beside = [year, ...Object.values(how)].filter((other) => other !== undefined);
        if (beside.length === 0 && isAmbiguousMonth(name)) return [];
        return parseMonths(year, monthNumber(name), how);
      },
    },
    {
      pattern: createForm(
        `${START_BOUNDARY}(?<season>${SEASON_NAMES.join("|")})(?:\\s+of)?\\s+${YEAR_GROUP}${END_BOUNDARY}`,
      ),
      read: ({ year, season = "" }) => [
        createMeaning(year, (of) => seasonPeriod(season.toLowerCase(), of)),
      ],
    },
    {
      pattern: createForm(`(?:${PERIOD_PART}|${TIME_PREPOSITION})${YEAR_GROUP}${END_BOUNDARY}`),
      read: ({ year, ...how }) => parseYears(year, how),
    },
  ];
});

export function findNamedDates(text: string): NamedDate[] {
  let rest = text;
  const found: NamedDate[] = [];
  for (const { pattern, read } of forms()) {
    rest = rest.replace(pattern, (...match) => {
      const matched = match[0] as string;
      const groups = match.at(-1) as NamedGroups;
      const start = match.at(-3) as number;
      const meanings = read(groups);
      if (meanings.length === 0) return matched;
      found.push(...meanings.map((one) => ({ ...one, start, end: start + matched.length })));
      return " ".repeat(matched.length);
    });
  }
  return found.sort((a, b) => a.start - b.start);
}

function createForm(pattern: string): RegExp {
  return new RegExp(pattern, "giu");
}

function parseDays(
  year: string | undefined,
  month: number | string | undefined,
  day?: string,
): Meaning[] {
  const toDateInYear = (of: number) => {
    const number = dayOfDate(of, Number(month), Number(day));
    return number === undefined ? undefined : singleDay(number);
  };
  // Tests a leap year, in which all valid days exist.
  return toDateInYear(2024) === undefined ? [] : [createMeaning(year, toDateInYear)];
}

function parseMonths(year: string | undefined, month: number, how: NamedGroups = {}): Meaning[] {
  if (month < 1 || month > 12) return [];
  return [createMeaning(year, (of) => parsePart(monthPeriod(of, month), how))];
}

function parseYears(year: string | undefined, how: NamedGroups = {}): Meaning[] {
  return [createMeaning(year, (of) => parsePart(yearPeriod(of), how))];
}

function createMeaning(year: string | undefined, inYear: NamedDate["inYear"]): Meaning {
  return { year: year === undefined ? undefined : parseCommonYear(Number(year)), inYear };
}

/** Converts a year of the Buddhist calendar, used in Thai dates. */
function parseCommonYear(year: number): number {
  return year >= 2500 ? year - 543 : year;
}
