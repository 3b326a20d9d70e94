import { createHash } from "node:crypto";
import {
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SqliteDatabase } from "../../src/database/index.ts";
import { createEmbedder, type Embedder, embeddingSettings } from "../../src/embedding/index.ts";
import { createOperations, type MemoryEngine, openMemory } from "../../src/memory/index.ts";
import { stderrLogger } from "../../src/shared/logger.ts";

/** Creates the bundled embedder with its default settings. */
export function createDefaultEmbedder(): Embedder {
  const embedder = createEmbedder(embeddingSettings.parse({}));
  if (embedder === null) throw new Error("The default settings configure no embedder.");
  return embedder;
}

/** Runs `body` with a memory in a new folder, which is deleted afterwards. */
export async function withTemporaryMemory<T>(
  embedder: Embedder | undefined,
  body: (memory: MemoryEngine) => Promise<T>,
): Promise<T> {
  return withTemporaryFolder((folder) => withMemory(join(folder, "bench.db"), embedder, body));
}

export async function withTemporaryFolder<T>(body: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "cairn-bench-"));
  try {
    return await body(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Runs `body` with a memory of these episodes and their vectors, cached as by `withFilledMemory`.
 */
export function withMemoryOf<T>(
  embedder: Embedder | undefined,
  episodes: readonly Record<string, unknown>[],
  body: (memory: MemoryEngine) => Promise<T>,
): Promise<T> {
  const name = computeCacheKey(embedder, episodes);
  const fill = (memory: MemoryEngine) => rememberAll(memory, episodes);
  return withFilledMemory({ name, embedder, fill }, body);
}

/** Returns the same name for the same episodes and embedder. */
export function computeCacheKey(
  embedder: Embedder | undefined,
  episodes: readonly Record<string, unknown>[],
): string {
  const key = JSON.stringify([embedder?.identity, episodes]);
  return createHash("sha256").update(key).digest("hex").slice(0, 16);
}

export interface Filling {
  /** Cache key: the same for the same content and embedder. */
  readonly name: string;
  readonly embedder: Embedder | undefined;
  fill(memory: MemoryEngine): Promise<void>;
  /** True if `body` writes: it then gets a copy of the cached database. */
  readonly isWritten?: boolean;
}

/**
 * Runs `body` with a filled memory. Embedding takes most of a run, so if CAIRN_BENCH_KEEP names a
 * folder, the database stays there for the next run. Use the cache only to measure reads: its
 * content was written by the code that filled it.
 */
export async function withFilledMemory<T>(
  { name, embedder, fill, isWritten = false }: Filling,
  body: (memory: MemoryEngine) => Promise<T>,
): Promise<T> {
  const keep = process.env["CAIRN_BENCH_KEEP"];
  if (keep === undefined) {
    return withTemporaryMemory(embedder, async (memory) => {
      await fill(memory);
      return body(memory);
    });
  }
  mkdirSync(keep, { recursive: true });
  const path = join(keep, `${name}.db`);
  if (!existsSync(path)) {
    const unfinished = `${path}.${process.pid}`;
    await withMemory(unfinished, embedder, fill);
    renameSync(unfinished, path);
  }
  if (!isWritten) return withMemory(path, embedder, body);
  return withTemporaryFolder((folder) => {
    const copy = join(folder, "bench.db");
    copyFileSync(path, copy, constants.COPYFILE_FICLONE);
    return withMemory(copy, embedder, body);
  });
}

async function withMemory<T>(
  path: string,
  embedder: Embedder | undefined,
  body: (memory: MemoryEngine) => Promise<T>,
): Promise<T> {
  const memory = openMemory({
    name: "bench",
    database: new SqliteDatabase({ path }),
    embedder,
    operations: createOperations(),
    logger: stderrLogger(),
  });
  try {
    return await body(memory);
  } finally {
    await memory.close();
  }
}

/** Remembers episodes in changesets and embeds them. */
export async function rememberAll(
  memory: MemoryEngine,
  episodes: readonly Record<string, unknown>[],
): Promise<void> {
  const most = 5_000;
  for (let start = 0; start < episodes.length; start += most) {
    const ops = episodes
      .slice(start, start + most)
      .map((episode) => ({ op: "remember", ...episode }));
    await memory.execute("apply", { changeset: JSON.stringify(ops) });
  }
  await memory.makeMissingVectors();
}
