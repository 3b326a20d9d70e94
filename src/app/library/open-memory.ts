import { basename, resolve } from "node:path";
import type { z } from "zod";
import {
  type Database,
  openPlace,
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
   * Path of the SQLite file; the first write makes it. ":memory:" keeps nothing. Or the address of a
   * PostgreSQL server, `postgres://user:password@host:5432/name`.
   */
  readonly path: string;
  /**
   * How messages call the database. Default: the name of the file without `.db`. On a server, which
   * holds many, it says which one; default: `default`.
   */
  readonly name?: string;
  /** How a PostgreSQL server is asked, named as in the config file. */
  readonly postgres?: z.input<typeof postgresSettings>;
  /**
   * The model that makes the vectors of recall, named as in the config file. Default: the one that
   * ships with cairn. `{ provider: "none" }` recalls by text and graph alone.
   */
  readonly embedding?: z.input<typeof embeddingSettings>;
  /** An embedder of one's own, instead of `embedding`. It is not closed with the memory. */
  readonly embedder?: Embedder;
  readonly logger?: Logger;
  readonly episodeTypes?: readonly string[];
  readonly limits?: MemoryLimits;
  readonly secrets?: "mask" | "refuse" | "allow";
  /** Makes vectors after each write instead of at the next recall: for programs that live on. */
  readonly vectorsInBackground?: boolean;
  readonly clock?: Clock;
  readonly ids?: IdSource;
}

/** Every operation as a method of its name: `memory.recall({ query })`. */
export type OperationCalls = {
  readonly [Name in OperationName]: (
    ...call: Record<never, never> extends InputOf<Name>
      ? [input?: InputOf<Name>, options?: ExecuteOptions]
      : [input: InputOf<Name>, options?: ExecuteOptions]
  ) => Promise<OutputOf<Name>>;
};

/** One database of memory, open until `close`, or until its block ends with `await using`. */
export interface OpenMemory extends Omit<Memory, "executeNamed">, OperationCalls, AsyncDisposable {
  executeNamed(operation: string, input: unknown, options?: ExecuteOptions): Promise<unknown>;
}

/**
 * Opens one database with the built-in operations. No file is touched before the first operation,
 * none made before the first write, and no model loaded before it is needed. Every call throws a
 * CairnError whose message names the field and the cure. Throws invalid_input for bad options.
 */
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
  const opened = openDatabase(options);
  const made = own === undefined ? createEmbedder(embeddingSettings.parse(embedding ?? {})) : null;
  const engine = openEngine({
    readsAsEmpty: true,
    ...further,
    database: opened.database,
    name: opened.name,
    embedder: own ?? made ?? undefined,
    operations: createOperations(),
    logger: logger ?? silentLogger,
  });
  const close = async () => {
    await engine.close();
    await opened.close();
    await made?.close();
  };
  return {
    ...callsOf(engine),
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
      'path: is needed: that of a SQLite file, ":memory:", or the address of a PostgreSQL server',
    );
  }
  if (!/^postgres(ql)?:/i.test(path)) {
    const database = new SqliteDatabase({ path: path === ":memory:" ? path : resolve(path) });
    return { name: name ?? basename(path, ".db"), database, close: () => Promise.resolve() };
  }
  const settings = postgresSettings.parse(postgres ?? {});
  const place = openPlace({
    folder: "",
    address: path,
    postgres: settings,
    isName: isDatabaseName,
  });
  const chosen = name ?? "default";
  if (!isDatabaseName(chosen)) {
    throw invalidInput(
      "name: is 1 to 64 letters, digits, dots, underscores or hyphens, and starts with a letter or digit",
    );
  }
  return { name: chosen, database: place.open(chosen), close: () => place.close() };
}

function callsOf(memory: Memory): OperationCalls {
  const calls = Array.from(memory.operations.keys(), (name) => [
    name,
    (input: unknown = {}, options?: ExecuteOptions) =>
      memory.executeNamed(name, input, { caller: OWNER, ...options }),
  ]);
  // The operations of the registry are those of the type, and each declares its input and output.
  return Object.fromEntries(calls) as OperationCalls;
}
