import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Embedder } from "../../src/embedding/index.ts";
import { type CairnError, isCairnError } from "../../src/kernel/errors.ts";
import { type Logger, silentLogger } from "../../src/kernel/logger.ts";
import {
  createOperations,
  type MemoryEngine,
  type MemoryLimits,
  openMemory,
} from "../../src/memory/index.ts";
import { TestClock } from "../../src/testing/test-clock.ts";

export interface TestMemory extends AsyncDisposable {
  readonly memory: MemoryEngine;
  readonly folder: string;
  readonly clock: TestClock;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every operation
  call(operation: string, input?: unknown): Promise<any>;
  /** The error of a call that must fail. */
  failure(operation: string, input?: unknown): Promise<CairnError>;
  /** Applies a compact changeset. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  apply(...lines: string[]): Promise<any>;
}

/** A real database in a folder of its own, without an embedder unless one is given. */
export function testMemory(
  options: {
    embedder?: Embedder;
    logger?: Logger;
    episodeTypes?: string[];
    limits?: MemoryLimits;
    retention?: string;
    /** One that is there already. */
    folder?: string;
    name?: string;
    onStatement?: (statement: string) => void;
  } = {},
): TestMemory {
  const { name = "default", folder = mkdtempSync(join(tmpdir(), "cairn-test-")) } = options;
  const clock = new TestClock();
  let made = 0;
  const memory = openMemory({
    name,
    path: join(folder, `${name}.db`),
    embedder: options.embedder,
    operations: createOperations(),
    logger: options.logger ?? silentLogger,
    episodeTypes: options.episodeTypes ?? [],
    ...(options.limits && { limits: options.limits }),
    ...(options.retention && { retention: options.retention }),
    clock,
    ids: {
      next: (prefix) => {
        made += 1;
        return `${prefix}${made}`;
      },
    },
    readsAsEmpty: true,
    ...(options.onStatement && { onStatement: options.onStatement }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const call = (operation: string, input: unknown = {}): Promise<any> =>
    memory.executeNamed(operation, input);
  return {
    memory,
    folder,
    clock,
    call,
    async failure(operation, input = {}) {
      try {
        await memory.executeNamed(operation, input);
      } catch (error) {
        if (isCairnError(error)) return error;
        throw error;
      }
      throw new Error(`${operation} was expected to fail`);
    },
    apply: (...lines) => call("apply", { changeset: lines.join("\n") }),
    async [Symbol.asyncDispose]() {
      await memory.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
