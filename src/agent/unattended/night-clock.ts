import { sleep } from "../../shared/async.ts";
import type { Clock } from "../../shared/clock.ts";

/** The present, and how it is waited for: tests hold both. */
export interface NightClock extends Clock {
  /** Resolves once `now()` has reached `moment`, or rejects with the signal's reason. */
  until(moment: Date, signal: AbortSignal): Promise<void>;
}

/** A machine that sleeps holds timers back: what counts is what its clock says afterwards. */
const SLICE_MS = 15_000;

export const systemNightClock: NightClock = {
  now: () => new Date(),
  async until(moment, signal) {
    for (let left = moment.getTime() - Date.now(); left > 0; left = moment.getTime() - Date.now()) {
      await sleep(Math.min(left, SLICE_MS), signal);
    }
    signal.throwIfAborted();
  },
};
