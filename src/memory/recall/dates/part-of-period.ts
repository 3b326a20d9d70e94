import { lengthOf, type Period } from "./period.ts";

/** A pattern for words such as "early" before a month or a year, of which only a part is meant. */
export const PART =
  "(?:(?<ordinal>first|second|third|fourth|last)\\s+(?<unit>week|half)\\s+of|(?<third>early|mid|late|beginning\\s+of|start\\s+of|middle\\s+of|end\\s+of))[\\s-]+(?:the\\s+)?";

export type NamedGroups = Readonly<Record<string, string | undefined>>;

const ORDINALS = ["first", "second", "third", "fourth"];
const WEEK = 7;

/** The part of the period that the groups of `PART` name, or the whole period. */
export function partOf(period: Period, { ordinal, unit, third }: NamedGroups): Period {
  if (ordinal !== undefined && unit !== undefined) {
    const length = unit.toLowerCase() === "week" ? WEEK : Math.ceil(lengthOf(period) / 2);
    const nth = ORDINALS.indexOf(ordinal.toLowerCase());
    return nth < 0 ? last(period, length) : nthPart(period, nth, length);
  }
  if (third === undefined) return period;
  const length = Math.ceil(lengthOf(period) / 3);
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
