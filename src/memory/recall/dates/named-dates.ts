import { lazy } from "../../../shared/collections.ts";
import {
  dayOfDate,
  monthPeriod,
  type Period,
  periodLength,
  SEASONS,
  seasonPeriod,
  singleDay,
  yearPeriod,
} from "./period.ts";
import { anyWord } from "./relative-dates.ts";

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

const AMBIGUOUS: ReadonlySet<string> = new Set(
  "jan feb mar apr may jun jul aug sep sept oct nov dec march mars mart ocak ekim aralık".split(
    " ",
  ),
);

/** Month pattern, for expressions with the flags `iu`. */
const month = lazy(
  () =>
    `(?:${CALENDARS.map(({ months, endings }) => anyWord(months.split(/[ /]/), endings)).join("|")})`,
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
  return AMBIGUOUS.has(written.toLowerCase());
}

/** Pattern for qualifiers such as "early" before a month or year. */
const PART =
  "(?:(?<ordinal>first|second|third|fourth|last)\\s+(?<unit>week|half)\\s+of|(?<third>early|mid|late|beginning\\s+of|start\\s+of|middle\\s+of|end\\s+of))[\\s-]+(?:the\\s+)?";

type NamedGroups = Readonly<Record<string, string | undefined>>;

const ORDINALS = ["first", "second", "third", "fourth"];
const WEEK = 7;

/** Returns the part of the period named by the groups of `PART`, or the whole period. */
function partOf(period: Period, { ordinal, unit, third }: NamedGroups): Period {
  if (ordinal !== undefined && unit !== undefined) {
    const length = unit.toLowerCase() === "week" ? WEEK : Math.ceil(periodLength(period) / 2);
    const nth = ORDINALS.indexOf(ordinal.toLowerCase());
    return nth < 0 ? last(period, length) : nthPart(period, nth, length);
  }
  if (third === undefined) return period;
  const length = Math.ceil(periodLength(period) / 3);
  if (/^(?:early|beginning|start)/iu.test(third)) return nthPart(period, 0, length);
  return /^mid/iu.test(third) ? nthPart(period, 1, length) : last(period, length);
}

function nthPart({ from, to }: Period, nth: number, length: number): Period {
  const start = from + nth * length;
  return { from: start, to: Math.min(to, start + length - 1) };
}

function last({ from, to }: Period, length: number): Period {
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

interface Form {
  readonly pattern: RegExp;
  /** Returns possible readings; empty if the match is not a date. */
  read(groups: NamedGroups): Meaning[];
}

const BEFORE = "(?<![\\p{L}\\p{N}]|\\d[./-])";
const AFTER = "(?![\\p{L}\\p{N}]|[./-]\\d)";
const YEAR = "(?<year>(?:19|20|25)\\d\\d)";
/** A bare number counts as a year only after a word that often precedes dates. */
const TIME_WORD = `(?<=${BEFORE}(?<word>in|im|en|em|of|de|du|during|since|until|till|by|before|after|from|through|around|last|this|next|year|jahr|année|año|vuonna|vuoden|в|с)\\s+)`;
const DAY = "(?<day>\\d{1,2})(?:st|nd|rd|th|er|º|\\.)?";
const OF_YEAR = `(?:(?:\\s+(?:of|de|del)\\s+|\\s*,\\s*|\\s+)${YEAR}${AFTER})?`;

/** Ordered by precedence for matches at the same position. */
const forms = lazy<readonly Form[]>(() => {
  const MONTH = month();
  return [
    {
      pattern: form(
        `${BEFORE}${YEAR}(?<mark>[-/.])(?<month>\\d{1,2})\\k<mark>(?<day>\\d{1,2})(?!\\d)`,
      ),
      read: ({ year, month, day }) => days(year, month, day),
    },
    {
      pattern: form(
        `${BEFORE}(?<day>\\d{1,2})(?<mark>[-/.])(?<month>\\d{1,2})\\k<mark>${YEAR}(?!\\d)`,
      ),
      read: ({ year, month, day, mark }) => [
        ...days(year, month, day),
        ...(mark === "/" && month !== day ? days(year, day, month) : []),
      ],
    },
    {
      pattern: form(`${BEFORE}${YEAR}-(?<month>0[1-9]|1[0-2])${AFTER}`),
      read: ({ year, month }) => months(year, Number(month)),
    },
    {
      pattern: form(
        `(?:${YEAR}\\s*[年년]\\s*)?(?<!\\d)(?<month>\\d{1,2})\\s*[月월](?:\\s*(?<day>\\d{1,2})\\s*[日일])?`,
      ),
      read: ({ year, month, day }) =>
        day === undefined ? months(year, Number(month)) : days(year, month, day),
    },
    { pattern: form(`${YEAR}\\s*[年년]`), read: ({ year }) => years(year) },
    {
      pattern: form(`${BEFORE}${DAY}\\s*(?:(?:of|de)\\s+)?(?<name>${MONTH})${OF_YEAR}`),
      read: ({ year, name = "", day }) => days(year, monthNumber(name), day),
    },
    {
      pattern: form(`(?<name>${MONTH})\\.?\\s+${DAY}${AFTER}${OF_YEAR}`),
      read: ({ year, name = "", day }) => days(year, monthNumber(name), day),
    },
    {
      pattern: form(`(?:${PART}|${TIME_WORD}|)(?<name>${MONTH})${OF_YEAR}`),
      read: ({ year, name = "", ...how }) => {
        const beside = [year, ...Object.values(how)].filter((other) => other !== undefined);
        if (beside.length === 0 && isAmbiguousMonth(name)) return [];
        return months(year, monthNumber(name), how);
      },
    },
    {
      pattern: form(`${BEFORE}(?<season>${SEASONS.join("|")})(?:\\s+of)?\\s+${YEAR}${AFTER}`),
      read: ({ year, season = "" }) => [
        meaning(year, (of) => seasonPeriod(season.toLowerCase(), of)),
      ],
    },
    {
      pattern: form(`(?:${PART}|${TIME_WORD})${YEAR}${AFTER}`),
      read: ({ year, ...how }) => years(year, how),
    },
  ];
});

export function namedDates(text: string): NamedDate[] {
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

function form(pattern: string): RegExp {
  return new RegExp(pattern, "giu");
}

function days(
  year: string | undefined,
  month: number | string | undefined,
  day?: string,
): Meaning[] {
  const inYear = (of: number) => {
    const number = dayOfDate(of, Number(month), Number(day));
    return number === undefined ? undefined : singleDay(number);
  };
  // Tests a leap year, in which all valid days exist.
  return inYear(2024) === undefined ? [] : [meaning(year, inYear)];
}

function months(year: string | undefined, month: number, how: NamedGroups = {}): Meaning[] {
  if (month < 1 || month > 12) return [];
  return [meaning(year, (of) => partOf(monthPeriod(of, month), how))];
}

function years(year: string | undefined, how: NamedGroups = {}): Meaning[] {
  return [meaning(year, (of) => partOf(yearPeriod(of), how))];
}

function meaning(year: string | undefined, inYear: NamedDate["inYear"]): Meaning {
  return { year: year === undefined ? undefined : commonYear(Number(year)), inYear };
}

/** Converts a year of the Buddhist calendar, used in Thai dates. */
function commonYear(year: number): number {
  return year >= 2500 ? year - 543 : year;
}
