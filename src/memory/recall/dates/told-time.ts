import { type AskedTime, periodsAround } from "./asked-time.ts";
import { dayOf, lengthOf, type Period, sharedDays, singleDay } from "./period.ts";
import { relativeDates } from "./relative-dates.ts";

/** When an episode was told, and what it says. */
export interface ToldTime {
  /** Timestamp. */
  readonly at: string;
  readonly text: string;
}

/**
 * How much of the time that an episode tells of was asked for, 0..1. That is the day on which it was
 * told, or what it says by it: "yesterday", "two weeks ago". A year of which a day was asked says
 * little about that day.
 */
export function timeShare(asked: AskedTime, { at, text }: ToldTime): number {
  const day = dayOf(at);
  // A damaged time tells nothing, and the episode is found by all else.
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
