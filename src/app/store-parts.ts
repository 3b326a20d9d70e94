import type { LoadedConfig } from "../config/index.ts";
import { openDatabaseBackend } from "../database/index.ts";
import type { Embedder } from "../embedding/index.ts";
import { DEFAULT_LIMITS, isDatabaseName, MemoryStore, type Operation } from "../memory/index.ts";
import type { Logger } from "../shared/logger.ts";

export interface StoreOptions {
  /** Throws not_found if an explicitly named database does not exist. */
  readonly namedMustExist?: boolean;
  readonly respectsReadOnly?: boolean;
  /** Lock timeout of writes in milliseconds, for interactive callers. */
  readonly writeTimeoutMs?: number;
  /** Server mode: vectors after each write, long work in separate processes, batched recalls. */
  readonly isServer?: boolean;
  /** Uses the daemon's model if one runs. */
  readonly sharesModel?: boolean;
  readonly isFrugal?: boolean;
}

/** Retention of the recall log. */
const RECALL_LOG_LIMITS = { recalls: 5_000, days: 90 };

export function createStoreParts(
  { settings, dataDir, database }: LoadedConfig,
  options: StoreOptions,
) {
  const { isServer = false, isFrugal = false, respectsReadOnly, namedMustExist } = options;
  const readOnly = respectsReadOnly === true && settings.readOnly;
  const isNamed = database.by === "flag" || database.by === "environment";
  return {
    place: {
      folder: dataDir,
      address: settings.database,
      postgres: settings.postgres,
      writeTimeoutMs: options.writeTimeoutMs,
    },
    embedding: settings.embedding,
    store: {
      defaultDatabase: database.name,
      defaultReadsAsEmpty: namedMustExist !== true || !isNamed,
      episodeTypes: settings.episodeTypes,
      limits: { ...DEFAULT_LIMITS, changesetOps: settings.maxChangesetOps },
      secrets: settings.secrets,
      retention: settings.retention,
      recallLog: settings.recallLog === "off" ? undefined : RECALL_LOG_LIMITS,
      layers: settings.layers,
      vectorsInBackground: isServer && !readOnly,
      usesSeparateProcesses: isServer,
      isFrugal,
      readOnly,
    },
  };
}

export type StoreParts = ReturnType<typeof createStoreParts>;

export interface StoreTools {
  readonly operations: ReadonlyMap<string, Operation>;
  readonly embedder: Embedder | undefined;
  readonly logger: Logger;
}

export function openStore({ place, store }: StoreParts, tools: StoreTools): MemoryStore {
  return new MemoryStore({
    ...tools,
    ...store,
    backend: openDatabaseBackend({ ...place, isName: isDatabaseName }),
  });
}
