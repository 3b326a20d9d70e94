import type {
  BackendState,
  BinnedDatabase,
  DatabaseBackend,
  DatabaseStatus,
  MigratedDatabase,
  MigrateOptions,
  StoredDatabase,
  StoredRecords,
  StoredTokens,
} from "../database/index.ts";
import type { Embedder, EmbedOptions } from "../embedding/index.ts";
import { withTimeout } from "../shared/async.ts";
import { type Clock, systemClock } from "../shared/clock.ts";
import { invalidInput } from "../shared/errors.ts";
import type { IdSource } from "../shared/ids.ts";
import type { Logger } from "../shared/logger.ts";
import { isDatabaseName } from "./input/database-name.ts";
import type { MemoryLimits } from "./input/limits.ts";
import { type MemoryEngine, openMemory, readOnlyError } from "./open-memory.ts";
import type { Operation } from "./operations/define-operation.ts";
import { TIMEOUT_MS } from "./recall/unread-layer.ts";
import type { RecallLogBounds } from "./recall-log/store-recalls.ts";
import { WaitingRecalls } from "./search/shared-batch.ts";
import type { SecretRule } from "./secrets/secret-rules.ts";

/** Cached queries, enough for a few concurrent callers. */
const MAX_CACHED = 8;

/**
 * Wraps an embedder so that concurrent layers share one embedding of a query. If the first caller
 * aborts, waiting callers start another.
 */
export function cacheQueryEmbeddings(embedder: Embedder): Embedder {
  const retained = new Map<string, Promise<unknown>>();
  async function once<T>(
    key: readonly unknown[],
    { role, signal }: EmbedOptions,
    make: () => Promise<T>,
    getCopy: (created: T) => T,
  ): Promise<T> {
    if (role !== "query") return make();
    const name = JSON.stringify(key);
    // Only calls of the same type store results under this name.
    const known = retained.get(name) as Promise<T> | undefined;
    if (known !== undefined) {
      const created = await known.catch(() => undefined);
      signal?.throwIfAborted();
      return created === undefined ? make() : getCopy(created);
    }
    const making = make();
    const copy = making.then(getCopy);
    retained.set(name, copy);
    copy.catch(() => retained.delete(name));
    for (const oldest of [...retained.keys()].slice(0, -MAX_CACHED)) retained.delete(oldest);
    return making;
  }
  const { read, readMany, hasRoles } = embedder;
  return {
    get identity() {
      return embedder.identity;
    },
    batchSize: embedder.batchSize,
    ...(hasRoles !== undefined && { hasRoles }),
    embed: (texts, options = {}) =>
      once(
        ["embed", texts],
        options,
        () => embedder.embed(texts, options),
        (created) => structuredClone(created),
      ),
    ...(read !== undefined && {
      read: (texts, options = {}) =>
        once(
          ["read", texts],
          options,
          () => read.call(embedder, texts, options),
          (created) => created,
        ),
    }),
    ...(readMany !== undefined && {
      readMany: (texts, options) => readMany.call(embedder, texts, options),
    }),
    close: () => embedder.close(),
  };
}

export interface MemoryStoreOptions {
  readonly backend: DatabaseBackend;
  readonly defaultDatabase: string;
  /** The default database reads as empty before its first write. Default: true. */
  readonly defaultReadsAsEmpty?: boolean;
  readonly operations: ReadonlyMap<string, Operation>;
  readonly embedder: Embedder | undefined;
  readonly logger: Logger;
  readonly episodeTypes: readonly string[];
  readonly limits?: MemoryLimits;
  readonly secrets?: SecretRule;
  readonly retention?: string;
  readonly recallLog?: RecallLogBounds | undefined;
  readonly layers?: readonly string[];
  readonly clock?: Clock;
  readonly ids?: IdSource;
  readonly vectorsInBackground?: boolean;
  /** Runs long work in separate processes, for servers. */
  readonly usesSeparateProcesses?: boolean;
  readonly isFrugal?: boolean;
  readonly readOnly?: boolean;
}

export type DatabaseInfo = StoredDatabase;
export type { BackendState, DatabaseStatus, MigratedDatabase };

/** Above this number, memories without a database are dropped. */
const MAX_OPEN_DATABASES = 256;
const MAX_ACTIVE_DATABASES = 32;

export class MemoryStore {
  readonly operations: ReadonlyMap<string, Operation>;
  readonly defaultDatabase: string;
  readonly #options: MemoryStoreOptions;
  readonly #open = new Map<string, MemoryEngine>();
  readonly #waiting = new WaitingRecalls();

  constructor(options: MemoryStoreOptions) {
    const { embedder, layers = [] } = options;
    const isShared = embedder !== undefined && layers.length > 0;
    this.#options = isShared ? { ...options, embedder: cacheQueryEmbeddings(embedder) } : options;
    this.operations = options.operations;
    this.defaultDatabase = options.defaultDatabase;
  }

  open(name: string = this.defaultDatabase): MemoryEngine {
    if (!isDatabaseName(name)) {
      throw invalidInput(
        "db: must be 1 to 64 letters, digits, dots, underscores or hyphens, and start with a letter or digit",
      );
    }
    const known = this.#open.get(name);
    if (known !== undefined) return this.#use(name, known);
    const {
      backend,
      defaultDatabase,
      defaultReadsAsEmpty = true,
      usesSeparateProcesses,
      isFrugal,
      layers: _named,
      ...shared
    } = this.#options;
    const memory = openMemory({
      ...shared,
      name,
      waiting: this.#waiting,
      database: backend.open(name, { usesSeparateProcesses, isFrugal }),
      readsAsEmpty: defaultReadsAsEmpty && name === defaultDatabase,
      isMadeByAnyWriter: name === defaultDatabase,
      outerLayers: () => this.#layersOutside(name).map((outer) => this.open(outer)),
    });
    this.#forgetAbsent();
    return this.#use(name, memory);
  }

  /** A layer reads only outer layers; other databases read all of them. */
  #layersOutside(name: string): readonly string[] {
    const named = [...new Set(this.#options.layers)];
    return named.slice(named.indexOf(name) + 1);
  }

  async openOuterLayers(name: string = this.defaultDatabase): Promise<MemoryEngine[]> {
    const layers = this.#layersOutside(name).map((outer) => this.open(outer));
    const there = await Promise.all(
      layers.map((memory) =>
        withTimeout({ timeoutMs: TIMEOUT_MS }, () => memory.isThere()).catch(() => true),
      ),
    );
    return layers.filter((_memory, n) => there[n]);
  }

  get hasLayers(): boolean {
    return (this.#options.layers ?? []).length > 0;
  }

  /** Returns true for a user's private database: the default one if layers are configured. */
  isPrivate(name: string): boolean {
    const { layers = [] } = this.#options;
    return layers.length > 0 && name === this.defaultDatabase && !layers.includes(name);
  }

  withBackend(backend: DatabaseBackend): MemoryStore {
    return new MemoryStore({ ...this.#options, backend: backend });
  }

  get tokens(): StoredTokens {
    return this.#options.backend.tokens;
  }

  get records(): StoredRecords {
    return this.#options.backend.records;
  }

  get isReadOnly(): boolean {
    return this.#options.readOnly === true;
  }

  requireWritable(): void {
    if (this.isReadOnly) throw readOnlyError();
  }

  status(): Promise<DatabaseStatus> {
    return this.open().status();
  }

  migrate(options: MigrateOptions): Promise<MigratedDatabase[]> {
    return this.#options.backend.migrate(options);
  }

  state(): Promise<BackendState> {
    return this.#options.backend.state();
  }

  async hasDefault(): Promise<boolean> {
    return (await this.#open.get(this.defaultDatabase)?.isThere()) === true;
  }

  inUse(): MemoryEngine[] {
    return [...this.#open.values()].slice(-MAX_ACTIVE_DATABASES);
  }

  /** Closes the least recently used databases to limit file descriptors. */
  #use(name: string, memory: MemoryEngine): MemoryEngine {
    this.#open.delete(name);
    this.#open.set(name, memory);
    const resting = [...this.#open.values()].slice(0, -MAX_ACTIVE_DATABASES);
    for (const other of resting) other.rest();
    return memory;
  }

  /** Drops names without a database, which would otherwise accumulate in a server. */
  #forgetAbsent(): void {
    if (this.#open.size < MAX_OPEN_DATABASES) return;
    for (const [name, memory] of this.#open) {
      if (!memory.wasThere && name !== this.defaultDatabase) this.#open.delete(name);
    }
  }

  list(): Promise<DatabaseInfo[]> {
    return this.#options.backend.list();
  }

  create(name: string): Promise<void> {
    return this.#options.backend.create(name);
  }

  async rename(name: string, to: string): Promise<void> {
    await this.#forget(name);
    await this.#options.backend.rename(name, to);
  }

  copy(name: string, to: string): Promise<void> {
    return this.#options.backend.copy(name, to);
  }

  backup(name: string, path: string): Promise<void> {
    return this.#options.backend.backup(name, path);
  }

  async remove(name: string): Promise<BinnedDatabase> {
    await this.#forget(name);
    return this.#options.backend.remove(name, (this.#options.clock ?? systemClock).now());
  }

  bin(): Promise<BinnedDatabase[]> {
    return this.#options.backend.listBin();
  }

  restore(id: string, to: string | undefined): Promise<string> {
    return this.#options.backend.restore(id, to);
  }

  /** Closes the file before it moves; later requests reopen it. */
  async #forget(name: string): Promise<void> {
    const memory = this.#open.get(name);
    this.#open.delete(name);
    await memory?.close();
  }

  async close(): Promise<void> {
    await Promise.all(Array.from(this.#open.values(), (memory) => memory.close()));
    await this.#options.backend.close();
  }
}
