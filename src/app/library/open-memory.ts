import { basename, resolve } from "node:path";
import type { z } from "zod";
import {
  type Database,
  openDatabaseBackend,
  postgresSettings,
  SqliteDatabase,
} from "../../database/index.ts";
import { createEmbedder, type Embedder, embeddingSettings } from "../../embedding/index.ts";
import {
  createOperations,
  type ExecuteOptions,
  type InputOf,
  isDatabaseName,
  type Memory,
  type MemoryLimits,
  type OperationName,
  type OutputOf,
  openMemory as openEngine,
} from "../../memory/index.ts";
import { OWNER } from "../../shared/caller.ts";
import type { Clock } from "../../shared/clock.ts";
import { invalidInput } from "../../shared/errors.ts";
import type { IdSource } from "../../shared/ids.ts";
import { type Logger, silentLogger } from "../../shared/logger.ts";

export interface OpenMemoryOptions {
  /**
   * SQLite file, created by the first write; ":memory:" is not persisted. Or a PostgreSQL URL:
   * `postgres://user:password@host:5432/name`.
   */
  readonly path: string;
  /**
   * Database name in messages. Default: the file name without `.db`. On a PostgreSQL
   * server it selects the database; default: `default`.
   */
  readonly name?: string;
  /** PostgreSQL options, named as in the config file. */
  readonly postgres?: z.input<typeof postgresSettings>;
  /**
   * Embedding model, named as in the config file. Default: the bundled
   * model. `{ provider: "none" }` uses only text and graph.
   */
  readonly embedding?: z.input<typeof embeddingSettings>;
  /** Custom embedder, used instead of `embedding`. The caller closes it. */
  readonly embedder?: Embedder;
  readonly logger?: Logger;
  readonly episodeTypes?: readonly string[];
  readonly limits?: MemoryLimits;
  readonly secrets?: "mask" | "refuse" | "allow";
  /** Computes vectors after each write instead of at the next recall, for long-running programs. */
  readonly vectorsInBackground?: boolean;
  readonly clock?: Clock;
  readonly ids?: IdSource;
}

export type OperationCalls = {
  readonly [Name in OperationName]: (
    ...call: Record<never, never> extends InputOf<Name>
      ? [input?: InputOf<Name>, options?: ExecuteOptions]
      : [input: InputOf<Name>, options?: ExecuteOptions]
  ) => Promise<OutputOf<Name>>;
};

export interface OpenMemory extends Omit<Memory, "executeNamed">, OperationCalls, AsyncDisposable {
  executeNamed(operation: string, input: unknown, options?: ExecuteOptions): Promise<unknown>;
}

/** The registry contains exactly the operations of the type, each with input and output schemas. */
export function openMemory(options: OpenMemoryOptions): OpenMemory {
  const {
    path: _path,
    name: _name,
    postgres: _postgres,
    embedding,
    embedder: own,
    logger,
    ...further
  } = options;
  const memoryEngine = openDatabase(options);
  const createdEmbedder =
    own === undefined ? createEmbedder(embeddingSettings.parse(embedding ?? {})) : null;
  const engine = openEngine({
    readsAsEmpty: true,
    ...further,
    database: memoryEngine.database,
    name: memoryEngine.name,
    embedder: own ?? createdEmbedder ?? undefined,
    operations: createOperations(),
    logger: logger ?? silentLogger,
  });
  const close = async () => {
    await engine.close();
    await memoryEngine.close();
    await createdEmbedder?.close();
  };
  return {
    ...createCalls(engine),
    name: engine.name,
    operations: engine.operations,
    isThere: engine.isThere.bind(engine),
    execute: engine.execute.bind(engine),
    executeNamed: (operation, input, options) =>
      engine.executeNamed(operation, input, { caller: OWNER, ...options }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

interface OpenedDatabase {
  readonly name: string;
  readonly database: Database;
  close(): Promise<void>;
}

function openDatabase({ path, name, postgres }: OpenMemoryOptions): OpenedDatabase {
  if (typeof path !== "string" || path.trim() === "") {
    throw invalidInput(
      'path: is required: a SQLite file, ":memory:", or the URL of a PostgreSQL server',
    );
  }
  if (!/^postgres(ql)?:/i.test(path)) {
    const database = new SqliteDatabase({ path: path === ":memory:" ? path : resolve(path) });
    return { name: name ?? basename(path, ".db"), database, close: () => Promise.resolve() };
  }
  const settings = postgresSettings.parse(postgres ?? {});
  const memoryPlace = openDatabaseBackend({
    folder: "",
    address: path,
    postgres: settings,
    isName: isDatabaseName,
  });
  const chosen = name ?? "default";
  if (!isDatabaseName(chosen)) {
    throw invalidInput(
      "name: must be 1 to 64 letters, digits, dots, underscores or hyphens, and start with a letter or digit",
    );
  }
  return { name: chosen, database: memoryPlace.open(chosen), close: () => memoryPlace.close() };
}

function createCalls(memory: Memory): OperationCalls {
  const calls = Array.from(memory.operations.keys(), (name) => [
    name,
    (input: unknown = {}, options?: ExecuteOptions) =>
      memory.executeNamed(name, input, { caller: OWNER, ...options }),
  ]);
  return Object.fromEntries(calls) as OperationCalls;
}
