import { systemClock } from "../shared/clock.ts";
import { displayLocation } from "../shared/files.ts";
import { randomIds } from "../shared/ids.ts";
import { BUILT_IN_EPISODE_TYPES } from "./episodes/episode-types.ts";
import { DEFAULT_LIMITS } from "./input/limits.ts";
import type { MemoryOptions } from "./memory-options.ts";
import type { OperationEnvironment } from "./operations/run-operation.ts";
import { RecallLog } from "./recall-log/recall-log.ts";
import type { DamageWarnings } from "./search/derived-damage.ts";

export function createRecallLog(options: MemoryOptions): RecallLog | undefined {
  const { recallLog: bounds, database, logger, readOnly, clock, ids } = options;
  if (bounds === undefined || readOnly === true) return undefined;
  return new RecallLog({
    ...{ bounds, database, logger },
    clock: clock ?? systemClock,
    ids: ids ?? randomIds,
  });
}

export function createEnvironment(
  options: MemoryOptions,
  damage: DamageWarnings,
): OperationEnvironment {
  const { name, database, clock, ids, episodeTypes, logger, operations, limits } = options;
  return {
    clock: clock ?? systemClock,
    ids: ids ?? randomIds,
    episodeTypes: [...BUILT_IN_EPISODE_TYPES, ...(episodeTypes ?? [])],
    operations,
    limits: limits ?? DEFAULT_LIMITS,
    logger,
    damage,
    location: { database: name, folder: displayLocation(database.location) },
  };
}
