import type { HonoRequest, MiddlewareHandler } from "hono";
import {
  type Caller,
  type CallerLimit,
  type CallerLimits,
  OverLimit,
} from "../../shared/caller.ts";
import { type Clock, systemClock } from "../../shared/clock.ts";
import type { SharedCounts } from "../../shared/shared-counts.ts";
import type { HttpEnv } from "./guard-middleware.ts";

interface QuotasOptions {
  readonly limits: CallerLimits;
  readonly counts: SharedCounts;
  readonly clock?: Clock | undefined;
  /** Is told of each refusal. */
  readonly onRefusal?: ((limit: CallerLimit) => void) | undefined;
}

const PERIOD_MS = { requests_per_minute: 60_000, writes_per_day: 86_400_000 } as const;

const SETTING = {
  requests_per_minute: "limits.requestsPerMinute",
  writes_per_day: "limits.writesPerDay",
} as const;

const FLAG = {
  requests_per_minute: "--requests-per-minute",
  writes_per_day: "--writes-per-day",
} as const;

const TOLD = {
  requests_per_minute: "requests a minute",
  writes_per_day: "writes a day",
} as const;

/**
 * Counts what each token and each person asks for: requests by the minute of the clock, writes by the day
 * (UTC). Callers without a name share what is counted, and all servers of a place of databases do.
 */
export class CallerQuotas {
  readonly #limits: CallerLimits;
  readonly #counts: SharedCounts;
  readonly #clock: Clock;
  readonly #onRefusal: (limit: CallerLimit) => void;

  constructor({ limits, counts, clock = systemClock, onRefusal = () => undefined }: QuotasOptions) {
    this.#limits = limits;
    this.#counts = counts;
    this.#clock = clock;
    this.#onRefusal = onRefusal;
  }

  /** Throws OverLimit, and then counts none of them. */
  async count(caller: Caller, limit: CallerLimit, added: number): Promise<void> {
    const most = caller.limits?.[limit] ?? this.#limits[limit];
    if (most === undefined || added === 0) return;
    const now = this.#clock.now().getTime();
    const period = Math.floor(now / PERIOD_MS[limit]);
    const key = `${limit} ${caller.name?.toLowerCase() ?? ""}`;
    const { isAdded, before } = await this.#counts.add({ key, period, added, most });
    if (isAdded) return;
    this.#onRefusal(limit);
    const end = (period + 1) * PERIOD_MS[limit];
    throw overLimit(caller, limit, {
      most,
      left: most - before,
      added,
      retryAfter: Math.ceil((end - now) / 1_000),
    });
  }
}

interface Excess {
  readonly most: number;
  readonly left: number;
  readonly added: number;
  readonly retryAfter: number;
}

function overLimit({ name }: Caller, limit: CallerLimit, excess: Excess): OverLimit {
  const { most, left, added, retryAfter } = excess;
  const who = name ?? "Whoever has no token of their own";
  const rest = left > 0 ? `${left} of them are left, and this takes ${added}` : "has had them";
  const cure =
    name === undefined
      ? `Whoever runs the server can raise ${SETTING[limit]}.`
      : `Whoever runs the server can raise ${SETTING[limit]}, or make a token with a limit of its own: cairn token create NAME ${FLAG[limit]} N.`;
  const message = `${who} may have ${most} ${TOLD[limit]}${left > 0 ? "; " : " and "}${rest}. Try again in ${retryAfter} s. ${cure}`;
  return new OverLimit(limit, message, { most, retryAfter });
}

/**
 * Counts each request that a caller is known for, and gives the caller a count of the writes that come of
 * it, whichever surface it goes to.
 */
export function countCallers(
  quotas: CallerQuotas,
  isCounted: (request: HonoRequest) => boolean,
): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const caller = c.get("caller");
    if (caller === undefined || !isCounted(c.req)) return next();
    const countRequests = (requests: number) =>
      quotas.count(caller, "requests_per_minute", requests);
    await countRequests(1);
    c.set("countRequests", countRequests);
    c.set("caller", {
      ...caller,
      countWrites: (writes) => quotas.count(caller, "writes_per_day", writes),
    });
    return next();
  };
}
