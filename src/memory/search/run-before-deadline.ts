import { sleep } from "../../shared/async.ts";
import type { Deadline } from "../../shared/deadline.ts";

/** Returns undefined if the deadline passes first. The work itself continues. */
export async function runBeforeDeadline<T>(
  work: Promise<T>,
  deadline: Deadline | undefined,
): Promise<T | undefined> {
  if (deadline === undefined) return work;
  const stop = new AbortController();
  try {
    const timeUp = sleep(deadline.left, stop.signal).then(() => undefined);
    work.catch(() => undefined);
    timeUp.catch(() => undefined);
    return await Promise.race([work, timeUp]);
  } finally {
    stop.abort();
  }
}
