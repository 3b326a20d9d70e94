export {
  type OpenMemory,
  type OpenMemoryOptions,
  type OperationCalls,
  openMemory,
} from "./app/library/index.ts";
export type { Embedder, EmbedOptions } from "./embedding/index.ts";
export type {
  ConceptRecord,
  ConflictRecord,
  EpisodeRecord,
  EventRecord,
  ExecuteOptions,
  FactRecord,
  InputOf,
  Memory,
  MemoryLimits,
  OperationName,
  OutputOf,
  Progress,
} from "./memory/index.ts";
export type { Clock } from "./shared/clock.ts";
export { CairnError, type ErrorCode, isCairnError } from "./shared/errors.ts";
export type { IdSource } from "./shared/ids.ts";
export { type Logger, silentLogger, stderrLogger } from "./shared/logger.ts";
