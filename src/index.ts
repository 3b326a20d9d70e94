export type { Embedder, EmbedOptions } from "./embedding/index.ts";
export type { Clock } from "./kernel/clock.ts";
export { CairnError, type ErrorCode, isCairnError } from "./kernel/errors.ts";
export type { IdSource } from "./kernel/ids.ts";
export { type Logger, silentLogger, stderrLogger } from "./kernel/logger.ts";
export {
  type OpenMemory,
  type OpenMemoryOptions,
  type OperationCalls,
  openMemory,
} from "./library/index.ts";
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
