import type { Clock } from "./clock.ts";

/** Of the time that passes at least this share counts, so that whoever waits for a disk does not wait for ever. */
const LEAST_SHARE = 0.1;

export interface WorkedTime {
  /** Milliseconds that have passed. */
  readonly passed: () => number;
  /** Milliseconds of the processor that this process has used. */
  readonly used: () => number;
}

const ofThisProcess: WorkedTime = {
  passed: () => performance.now(),
  used: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
};

/**
 * A clock that goes on as this process works: while others have the processor, it nearly stands still. A limit
 * that is counted by it allows the same work on a busy machine as on a quiet one. For processes that do one
 * thing. It never runs ahead of the clock on the wall, and goes at a tenth of its pace at least.
 */
export function workClock({ passed, used }: WorkedTime = ofThisProcess): Clock {
  const began = { at: Date.now(), passed: passed(), used: used() };
  return {
    now() {
      const most = passed() - began.passed;
      const worked = Math.max(used() - began.used, most * LEAST_SHARE);
      return new Date(began.at + Math.min(most, worked));
    },
  };
}
