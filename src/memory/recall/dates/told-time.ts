import { type AskedTime, periodsAround } from "./asked-time.ts";
import { dayOf, lengthOf, type Period, sharedDays, singleDay } from "./period.ts";
import { relativeDates } from "./relative-dates.ts";

export interface StatedTime {
  /** Timestamp. */
  readonly at: string;
  readonly text: string;
}

/**
 * How much of the time an episode tells about was asked for, 0..1. That time is the day on which it was told,
 * or a time it names, such as "yesterday" or "two weeks ago". If a day is asked for, an episode about a whole
 * year matches little.
 */
export function timeShare(asked: AskedTime, { at, text }: StatedTime): number {
  const day = dayOf(at);
  // An episode with a damaged timestamp gets nothing here and can still be found by other means.
  if (Number.isNaN(day)) return 0;
  let share = 0;
  for (const told of [singleDay(day), ...relativeDates(text, day).periods]) {
    share = Math.max(share, shareOf(asked, told));
    if (share === 1) break;
  }
  return share;
}

function shareOf(asked: AskedTime, told: Period): number {
  return Math.max(
    0,
    ...periodsAround(asked, told).map((period) => sharedDays(period, told) / lengthOf(told)),
  );
}
