import { CairnError } from "./errors.ts";

/** What a server counts of each caller. */
export type CallerLimit = "requests_per_minute" | "writes_per_day";

/** How much of it a caller may have; undefined: any number. */
export type CallerLimits = Readonly<Partial<Record<CallerLimit, number | undefined>>>;

/**
 * The caller has had as much as they may for now. It is a `busy` for which HTTP has a status of its own:
 * later the same request is answered.
 */
export class OverLimit extends CairnError {
  readonly limit: CallerLimit;
  readonly retryAfterSeconds: number;

  constructor(limit: CallerLimit, message: string, about: { most: number; retryAfter: number }) {
    const { most, retryAfter } = about;
    super("busy", message, { limit, most, retry_after_seconds: retryAfter });
    this.limit = limit;
    this.retryAfterSeconds = retryAfter;
  }
}
