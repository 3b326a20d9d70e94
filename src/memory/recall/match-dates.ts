import type { Activation } from "./activation.ts";
import { activationOf } from "./activation.ts";
import type { AskedTime } from "./dates/asked-time.ts";
import { type StatedTime, timeShare } from "./dates/told-time.ts";

/**
 * A time that the query names matters as much as an entity: items that tell about that time gain up to 1, but
 * no more than their other matches gave them. So a date confirms what was found, and finds items by itself
 * only if the query names nothing else.
 */
export function matchDates(
  episodes: ReadonlyMap<number, Activation>,
  told: ReadonlyMap<number, StatedTime>,
  time: AskedTime,
): void {
  for (const [number, parts] of episodes) {
    const when = told.get(number);
    const most = time.isAlone ? 1 : Math.min(1, activationOf(parts));
    if (when !== undefined && most > 0) parts.date = Math.min(most, timeShare(time, when));
  }
}
