import { AsyncLocalStorage } from "node:async_hooks";
import {
  createEmbedder,
  type Embedder,
  type EmbedOptions,
  type Reading,
  type TextInContext,
} from "../embedding/index.ts";
import { createOperations, type MemoryStore } from "../memory/index.ts";
import type { Logger } from "../shared/logger.ts";
import { type App, type AppOptions, readSettings } from "./assemble-app.ts";
import { recordProject } from "./note-project.ts";
import { createStoreParts, openStore, type StoreParts } from "./store-parts.ts";

const MAX_ITEMS = 4;

interface CachedStore {
  readonly key: string;
  readonly store: MemoryStore;
  users: number;
  isReported: boolean;
}

export interface AppCacheOptions {
  /** Throws if this process must not act for the caller. */
  readonly check: (config: App["config"]) => void;
  readonly own: Pick<AppOptions, "env" | "cwd" | "reader" | "logger">;
  readonly logger: Logger;
}

/**
 * Caches open stores and the model across commands of one process. Settings are reloaded for each
 * command.
 */
export class AppCache {
  readonly #options: AppCacheOptions;
  readonly #operations = createOperations();
  readonly #asking = new AsyncLocalStorage<{ logger: Logger | undefined }>();
  readonly #retained = new Map<string, CachedStore>();
  readonly #embedders = new Map<string, Embedder | undefined>();
  readonly #closing = new Set<Promise<void>>();

  constructor(options: AppCacheOptions) {
    this.#options = options;
  }

  /** Routes log messages of `body` to this logger. */
  async answering<T>(logger: Logger, body: () => Promise<T>): Promise<T> {
    const asker: { logger: Logger | undefined } = { logger };
    try {
      return await this.#asking.run(asker, body);
    } finally {
      asker.logger = undefined;
    }
  }

  /**
   * Closing the app returns its parts to the cache. Throws the errors of `check` and `loadConfig`.
   */
  open(options: AppOptions): App {
    const { config, logger } = readSettings(options);
    this.#options.check(config);
    const parts = createStoreParts(config, { ...options, isServer: true, isFrugal: true });
    const cached = this.#take(parts);
    const { store } = cached;
    const close = async () => {
      if (await store.hasDefault()) recordProject(config);
      this.#restore(cached);
    };
    return { config, store, logger, close };
  }

  async warm(options: AppOptions): Promise<void> {
    const { config } = readSettings(options);
    await this.#getEmbedder(createStoreParts(config, options))?.embed(["warm"], { role: "query" });
  }

  /** Embeds texts with the bundled model; undefined if the settings name another one. */
  async read(
    texts: readonly TextInContext[],
    options: EmbedOptions,
  ): Promise<readonly Reading[] | undefined> {
    const { settings } = readSettings(this.#options.own).config;
    if (settings.embedding.provider !== "minilm") return undefined;
    return this.#getEmbedder(settings)?.read?.(texts, options);
  }

  async close(): Promise<void> {
    for (const cached of this.#retained.values()) this.#end(cached);
    await Promise.all(this.#closing);
    await Promise.all(Array.from(this.#embedders.values(), (embedder) => embedder?.close()));
  }

  #take(parts: StoreParts): CachedStore {
    const key = JSON.stringify(parts);
    const cached = this.#retained.get(key) ?? this.#make(key, parts);
    this.#retained.delete(key);
    this.#retained.set(key, cached);
    cached.users += 1;
    for (const other of this.#retained.values()) {
      if (this.#retained.size > MAX_ITEMS && other.users === 0) this.#end(other);
    }
    return cached;
  }

  #make(key: string, parts: StoreParts): CachedStore {
    const state = { isReported: false };
    const logger = this.#routed(() => {
      state.isReported = true;
    });
    const embedder = this.#getEmbedder(parts);
    const store = openStore(parts, { operations: this.#operations, embedder, logger });
    return Object.assign(state, { key, store, users: 0 });
  }

  #getEmbedder({ embedding }: Pick<StoreParts, "embedding">): Embedder | undefined {
    const key = JSON.stringify(embedding);
    if (!this.#embedders.has(key)) {
      this.#embedders.set(key, createEmbedder(embedding) ?? undefined);
    }
    return this.#embedders.get(key);
  }

  #routed(onReport: () => void): Logger {
    const to = () => this.#asking.getStore()?.logger ?? this.#options.logger;
    return {
      info: (message, fields) => {
        onReport();
        to().info(message, fields);
      },
      warn: (message, fields) => {
        onReport();
        to().warn(message, fields);
      },
      error: (message, fields) => {
        onReport();
        to().error(message, fields);
      },
    };
  }

  #restore(cached: CachedStore): void {
    cached.users -= 1;
    if (cached.isReported && this.#retained.get(cached.key) === cached)
      this.#retained.delete(cached.key);
    if (cached.users === 0 && this.#retained.get(cached.key) !== cached) this.#end(cached);
  }

  #end(cached: CachedStore): void {
    if (this.#retained.get(cached.key) === cached) this.#retained.delete(cached.key);
    const closing = cached.store
      .close()
      .catch((error: unknown) => this.#options.logger.warn(String(error)))
      .finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }
}
