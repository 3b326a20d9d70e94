import {
  type ChosenDatabase,
  type LoadedConfig,
  loadConfig,
  type Reader,
} from "../config/index.ts";
import { openPlace } from "../database/index.ts";
import { createEmbedder } from "../embedding/index.ts";
import type { Logger } from "../kernel/logger.ts";
import { isDatabaseName, MemoryStore, type Operation } from "../memory/index.ts";
import { noteProject } from "./note-project.ts";

export interface AppOptions {
  /** Values of flags by setting name; undefined means not given. */
  readonly flags?: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly logger: Logger;
  /** Operations besides the built-in ones. */
  readonly furtherOperations?: readonly Operation[];
  /** Who works with it: for a model an untrusted project chooses no database. */
  readonly reader: Reader;
  /** Reading a database that a flag or variable names and that is not there is not_found. */
  readonly namedMustExist?: boolean;
  /** The setting `readOnly` counts: for servers. */
  readonly heedsReadOnly?: boolean;
  /** How long a write waits for others who write, milliseconds: for what somebody waits for. */
  readonly writePatienceMs?: number;
  /** Read replicas are asked: for servers, which know what they have written themselves. */
  readonly readsFromReplicas?: boolean;
  /**
   * For servers: vectors are made after each write, and long work on a database in processes of
   * their own.
   */
  readonly livesOn?: boolean;
}

/** The parts of the program, put together; surfaces take what they need from it. */
export interface App {
  readonly config: LoadedConfig;
  readonly store: MemoryStore;
  readonly logger: Logger;
  close(): Promise<void>;
}

/** The composition root. Nothing is opened, loaded or connected before it is needed. */
export function assembleApp(
  options: Omit<AppOptions, "furtherOperations">,
  operations: ReadonlyMap<string, Operation>,
): App {
  const { env, cwd, reader, livesOn = false } = options;
  const config = loadConfig({ flags: options.flags ?? {}, env, cwd, reader });
  const logger = options.logger.inFormat?.(config.settings.logFormat) ?? options.logger;
  for (const warning of config.warnings) logger.warn(warning);
  const embedder = createEmbedder(config.settings.embedding) ?? undefined;
  const readOnly = options.heedsReadOnly === true && config.settings.readOnly;
  const { postgres } = config.settings;
  const store = new MemoryStore({
    place: openPlace({
      folder: config.dataDir,
      address: config.settings.database,
      postgres: options.readsFromReplicas === true ? postgres : { ...postgres, replicas: [] },
      isName: isDatabaseName,
      writePatienceMs: options.writePatienceMs,
    }),
    defaultDatabase: config.database.name,
    defaultReadsAsEmpty: options.namedMustExist !== true || !isNamed(config.database),
    operations,
    embedder,
    logger,
    episodeTypes: config.settings.episodeTypes,
    limits: {
      contentBytes: config.settings.maxContentBytes,
      changesetOps: config.settings.maxChangesetOps,
    },
    secrets: config.settings.secrets,
    retention: config.settings.retention,
    vectorsInBackground: livesOn && !readOnly,
    worksApart: livesOn,
    readOnly,
  });
  return {
    config,
    store,
    logger,
    async close() {
      if (await store.hasDefault()) noteProject(config);
      await store.close();
      await embedder?.close();
    },
  };
}

function isNamed({ by }: ChosenDatabase): boolean {
  return by === "flag" || by === "environment";
}
