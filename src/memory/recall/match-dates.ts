import type { Activation } from "./activation.ts";
import type { AskedTime } from "./dates/asked-time.ts";
import { type ToldTime, timeShare } from "./dates/told-time.ts";
import { activationOf } from "./rank.ts";

/**
 * Who names a time means it as much as an entity: what tells of that time gains up to 1, and at most
 * as much as else speaks for it. So a date confirms what was found and finds nothing by itself,
 * unless nothing but a date is asked for.
 */
export function matchDates(
  episodes: ReadonlyMap<number, Activation>,
  told: ReadonlyMap<number, ToldTime>,
  time: AskedTime,
): void {
  for (const [number, parts] of episodes) {
    const when = told.get(number);
    const most = time.isAlone ? 1 : Math.min(1, activationOf(parts));
    if (when !== undefined && most > 0) parts.date = Math.min(most, timeShare(time, when));
  }
}
