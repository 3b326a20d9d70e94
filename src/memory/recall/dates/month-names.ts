import { anyWord } from "./date-pattern.ts";

interface Calendar {
  /** The twelve months in lower case; a slash separates forms of the same month. */
  readonly months: string;
  /** A pattern for endings that may follow a name. */
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

const NUMBERS: ReadonlyMap<string, number> = new Map(
  CALENDARS.flatMap(({ months }) =>
    months
      .split(" ")
      .flatMap((forms, index) => forms.split("/").map((name) => [name, index + 1] as const)),
  ),
);

const AMBIGUOUS: ReadonlySet<string> = new Set(
  "jan feb mar apr may jun jul aug sep sept oct nov dec march mars mart ocak ekim aralık".split(
    " ",
  ),
);

/** Pattern of a month, for expressions with the flags `iu`. */
export const MONTH = `(?:${CALENDARS.map(({ months, endings }) =>
  anyWord(months.split(/[ /]/), endings),
).join("|")})`;

/**
 * The number from 1 of a month that `MONTH` matched. The longest name that the text begins with wins; endings
 * are ignored.
 */
export function monthNumber(written: string): number {
  const name = written.toLowerCase();
  for (let end = name.length; end > 0; end -= 1) {
    const number = NUMBERS.get(name.slice(0, end));
    if (number !== undefined) return number;
  }
  throw new RangeError(`${written} is no month.`);
}

export function isAmbiguousMonth(written: string): boolean {
  return AMBIGUOUS.has(written.toLowerCase());
}
