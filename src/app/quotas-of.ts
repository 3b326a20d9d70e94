import type { MemoryStore } from "../memory/index.ts";
import { CallerQuotas, type HttpSettings } from "../server/http/index.ts";
import type { Clock } from "../shared/clock.ts";
import { messageOf } from "../shared/errors.ts";
import type { Logger } from "../shared/logger.ts";
import { CountsWithOthers, type SharedCounts } from "../shared/shared-counts.ts";

interface Counted {
  readonly store: MemoryStore;
  readonly limits: Pick<HttpSettings["limits"], "requestsPerMinute" | "writesPerDay">;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly onRefusal: ConstructorParameters<typeof CallerQuotas>[0]["onRefusal"];
}

export function quotasOf({ store, limits, clock, logger, onRefusal }: Counted): CallerQuotas {
  return new CallerQuotas({
    limits: {
      requests_per_minute: limits.requestsPerMinute,
      writes_per_day: limits.writesPerDay,
    },
    counts: countsOf(store, clock, logger),
    clock,
    onRefusal,
  });
}

/** A server that changes no memory may lie where nothing can be written: then it counts alone. */
function countsOf({ isReadOnly, counts }: MemoryStore, clock: Clock, logger: Logger): SharedCounts {
  if (!isReadOnly) return counts;
  return new CountsWithOthers(counts, clock, (error) => {
    logger.warn(`Limits of callers are counted by this server alone: ${messageOf(error)}`);
  });
}
