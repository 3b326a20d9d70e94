import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type OpenMemory, type OpenMemoryOptions, openMemory } from "../app/library/index.ts";
import { TestClock } from "./test-clock.ts";

export interface TemporaryMemory extends AsyncDisposable {
  readonly memory: OpenMemory;
  readonly clock: TestClock;
  readonly folder: string;
}

/**
 * A real database in a temporary folder for a test: ids count from 1, time is fixed, and no model
 * is loaded unless named. Disposing closes the database and removes the folder.
 */
export function temporaryMemory(options: Omit<OpenMemoryOptions, "path"> = {}): TemporaryMemory {
  const folder = mkdtempSync(join(tmpdir(), "cairn-memory-"));
  const clock = new TestClock();
  const memory = openMemory({
    embedding: { provider: "none" },
    clock,
    ids: countedIds(),
    ...options,
    path: join(folder, "default.db"),
  });
  return {
    memory,
    clock,
    folder,
    async [Symbol.asyncDispose]() {
      await memory.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function countedIds() {
  let created = 0;
  return {
    next(prefix: string): string {
      created += 1;
      return `${prefix}${created}`;
    },
  };
}
