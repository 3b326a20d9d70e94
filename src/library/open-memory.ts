import { basename, resolve } from "node:path";
import type { z } from "zod";
import { SqliteDatabase } from "../database/index.ts";
import { createEmbedder, type Embedder, embeddingSettings } from "../embedding/index.ts";
import type { Clock } from "../kernel/clock.ts";
import type { IdSource } from "../kernel/ids.ts";
import { type Logger, silentLogger } from "../kernel/logger.ts";
import {
  createOperations,
  type ExecuteOptions,
  type InputOf,
  type Memory,
  type MemoryLimits,
  type OperationName,
  type OutputOf,
  openMemory as openEngine,
} from "../memory/index.ts";

export interface OpenMemoryOptions {
  /** Path of the SQLite file; the first write makes it. ":memory:" keeps nothing. */
  readonly path: string;
  /** How messages call the database. Default: the name of the file without `.db`. */
  readonly name?: string;
  /**
   * The model that makes the vectors of recall, named as in the config file. Default: the one that
   * ships with cairn. `{ provider: "none" }` recalls by text and graph alone.
   */
  readonly embedding?: z.input<typeof embeddingSettings>;
  /** An embedder of one's own, instead of `embedding`. It is not closed with the memory. */
  readonly embedder?: Embedder;
  /** Where warnings go. Default: nowhere. */
  readonly logger?: Logger;
  /** Custom episode types, besides the built-in ones. */
  readonly episodeTypes?: readonly string[];
  readonly limits?: MemoryLimits;
  /** What becomes of keys and tokens in what is written. Default: mask. */
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
export type OpenMemory = Memory & OperationCalls & AsyncDisposable;

/**
 * Opens one database with the built-in operations. No file is touched before the first operation,
 * none made before the first write, and no model loaded before it is needed. Every call throws a
 * CairnError whose message names the field and the cure. Throws invalid_input for bad options.
 */
export function openMemory(options: OpenMemoryOptions): OpenMemory {
  const { path, name, embedding, embedder: own, logger, ...further } = options;
  const made = own === undefined ? createEmbedder(embeddingSettings.parse(embedding ?? {})) : null;
  const engine = openEngine({
    readsAsEmpty: true,
    ...further,
    database: new SqliteDatabase({ path: path === ":memory:" ? path : resolve(path) }),
    name: name ?? basename(path, ".db"),
    embedder: own ?? made ?? undefined,
    operations: createOperations(),
    logger: logger ?? silentLogger,
  });
  const close = async () => {
    await engine.close();
    await made?.close();
  };
  return {
    ...callsOf(engine),
    name: engine.name,
    operations: engine.operations,
    isThere: engine.isThere.bind(engine),
    execute: engine.execute.bind(engine),
    executeNamed: engine.executeNamed.bind(engine),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function callsOf(memory: Memory): OperationCalls {
  const calls = Array.from(memory.operations.keys(), (name) => [
    name,
    (input: unknown = {}, options?: ExecuteOptions) => memory.executeNamed(name, input, options),
  ]);
  // The operations of the registry are those of the type, and each declares its input and output.
  return Object.fromEntries(calls) as OperationCalls;
}
