import { z } from "zod";
import { type Clock, toTimestamp } from "../../shared/clock.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const CHECK_INTERVAL_MS = 60 * 60 * 1000;
const RETENTION_PATTERN = /^(?:off|([1-9]\d{0,4})d)$/;

export const retentionSetting = z
  .string()
  .regex(RETENTION_PATTERN, "A retention is `off` or a number of days such as `30d`.")
  .default("off")
  .describe(
    "Permanently purges the text of items this long after their deletion, e.g. 30d; off: never.",
  );

/** Determines when deleted items must be purged. Checked by writes, at most once an hour. */
export class Retention {
  readonly #days: number | undefined;
  readonly #clock: Clock;
  #lastLook = Number.NEGATIVE_INFINITY;

  constructor(setting: string, clock: Clock) {
    const days = RETENTION_PATTERN.exec(setting)?.[1];
    this.#days = days === undefined ? undefined : Number(days);
    this.#clock = clock;
  }

  /**
   * Returns the time up to which deleted items must be purged. Undefined if retention is off or was
   * checked within the last hour.
   */
  takeDue(): string | undefined {
    const now = this.#clock.now().getTime();
    if (this.#days === undefined || now - this.#lastLook < CHECK_INTERVAL_MS) return undefined;
    this.#lastLook = now;
    return toTimestamp(new Date(now - this.#days * DAY_MS));
  }

  lookAgain(): void {
    this.#lastLook = Number.NEGATIVE_INFINITY;
  }
}
