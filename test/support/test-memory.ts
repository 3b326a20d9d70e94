import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Embedder } from "../../src/embedding/index.ts";
import {
  createOperations,
  type InputOf,
  type MemoryEngine,
  type MemoryLimits,
  type OperationName,
  type OutputOf,
  openMemory,
} from "../../src/memory/index.ts";
import type { WaitingRecalls } from "../../src/memory/search/shared-batch.ts";
import { OWNER } from "../../src/shared/caller.ts";
import { type CairnError, isCairnError } from "../../src/shared/errors.ts";
import { type Logger, silentLogger } from "../../src/shared/logger.ts";
import { TestClock } from "../../src/testing/test-clock.ts";
import { openBackend } from "./test-backend.ts";

export interface TestMemory extends AsyncDisposable {
  readonly memory: MemoryEngine;
  readonly folder: string;
  readonly clock: TestClock;
  call<Name extends OperationName>(
    operation: Name,
    ...input: InputArguments<Name>
  ): Promise<OutputOf<Name>>;
  failure(operation: string, input?: unknown): Promise<CairnError>;
  apply(...lines: string[]): Promise<OutputOf<"apply">>;
}

/** The input is optional if the operation requires none. */
type InputArguments<Name extends OperationName> =
  Record<never, never> extends InputOf<Name> ? [input?: InputOf<Name>] : [input: InputOf<Name>];

/** Opens a real database in a new folder, by default without an embedder. */
export function createTestMemory(
  options: {
    embedder?: Embedder;
    logger?: Logger;
    episodeTypes?: string[];
    limits?: MemoryLimits;
    retention?: string;
    recallLog?: { recalls: number; days: number };
    folder?: string;
    name?: string;
    /** Default: a stopped clock. */
    clock?: TestClock;
    onStatement?: (statement: string) => void;
    /** Runs long tasks in child processes, as servers do. */
    usesSeparateProcesses?: boolean;
    /** Recalls that share their wait for embeddings with those of this memory. */
    waiting?: WaitingRecalls;
  } = {},
): TestMemory {
  const { name = "default", folder = mkdtempSync(join(tmpdir(), "cairn-test-")) } = options;
  const clock = options.clock ?? new TestClock();
  const backend = openBackend(folder);
  let made = 0;
  const memory = openMemory({
    name,
    database: backend.open(name, {
      onStatement: options.onStatement,
      usesSeparateProcesses: options.usesSeparateProcesses,
    }),
    embedder: options.embedder,
    ...(options.waiting !== undefined && { waiting: options.waiting }),
    operations: createOperations(),
    logger: options.logger ?? silentLogger,
    episodeTypes: options.episodeTypes ?? [],
    ...(options.limits && { limits: options.limits }),
    ...(options.recallLog && { recallLog: options.recallLog }),
    ...(options.retention && { retention: options.retention }),
    clock,
    ids: {
      next: (prefix) => {
        made += 1;
        return `${prefix}${made}`;
      },
    },
    readsAsEmpty: true,
  });
  return {
    memory,
    folder,
    clock,
    call: (operation, ...[input]) =>
      memory.execute(operation, input ?? ({} as InputOf<typeof operation>)),
    async failure(operation, input = {}) {
      try {
        await memory.executeNamed(operation, input, { caller: OWNER });
      } catch (error) {
        if (isCairnError(error)) return error;
        throw error;
      }
      throw new Error(`${operation} was expected to fail`);
    },
    apply: (...lines) => memory.execute("apply", { changeset: lines.join("\n") }),
    async [Symbol.asyncDispose]() {
      await memory.close();
      await backend.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
