import { join } from "node:path";
import { type LoadedConfig, loadConfig, type Reader } from "../config/index.ts";
import { createEmbedder } from "../embedding/index.ts";
import type { MemoryStore, Operation } from "../memory/index.ts";
import type { Logger } from "../shared/logger.ts";
import { withDaemonModel } from "./kept-model.ts";
import { noteProject } from "./note-project.ts";
import { openStore, type StoreOptions, storeParts } from "./store-parts.ts";

export interface AppOptions extends StoreOptions {
  /** Values of flags by setting name; undefined means not given. */
  readonly flags?: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly logger: Logger;
  readonly furtherOperations?: readonly Operation[];
  readonly reader: Reader;
}

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
  const { config, logger } = readSettings(options);
  const parts = storeParts(config, options);
  const embedder = embedderOf(config, options);
  const store = openStore(parts, { operations, embedder, logger });
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

function embedderOf({ settings, dataDir }: LoadedConfig, { sharesModel }: StoreOptions) {
  const own = createEmbedder(settings.embedding) ?? undefined;
  const isShared =
    sharesModel === true && settings.daemon === "auto" && settings.embedding.provider === "minilm";
  return own !== undefined && isShared ? withDaemonModel(own, join(dataDir, "daemon")) : own;
}

export function readSettings(
  options: Pick<AppOptions, "flags" | "env" | "cwd" | "reader" | "logger">,
): Pick<App, "config" | "logger"> {
  const { env, cwd, reader, flags = {} } = options;
  const config = loadConfig({ flags, env, cwd, reader });
  const logger = options.logger.inFormat?.(config.settings.logFormat) ?? options.logger;
  for (const warning of config.warnings) logger.warn(warning);
  return { config, logger };
}
