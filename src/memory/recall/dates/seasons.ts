import { monthPeriod, type Period } from "./period.ts";

/** The month in which each season begins, for the northern hemisphere, where nine of ten people live. */
const FIRST_MONTHS: ReadonlyMap<string, number> = new Map([
  ["spring", 3],
  ["summer", 6],
  ["autumn", 9],
  ["fall", 9],
  ["winter", 12],
]);

export const SEASONS: readonly string[] = [...FIRST_MONTHS.keys()];

/** The period of a season; undefined if the word is no season. */
export function seasonPeriod(season: string, year: number): Period | undefined {
  const first = FIRST_MONTHS.get(season);
  return first === undefined ? undefined : monthPeriod(year, first, 3);
}
