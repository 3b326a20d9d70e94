import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SqliteDatabase } from "../../src/database/index.ts";
import { createEmbedder, type Embedder, embeddingSettings } from "../../src/embedding/index.ts";
import { stderrLogger } from "../../src/kernel/logger.ts";
import { createOperations, type MemoryEngine, openMemory } from "../../src/memory/index.ts";

/** The embedder that ships with cairn, with its default settings. */
export function defaultEmbedder(): Embedder {
  const embedder = createEmbedder(embeddingSettings.parse({}));
  if (embedder === null) throw new Error("The default settings name no embedder.");
  return embedder;
}

/** Runs `body` with a memory in a new folder, which is removed afterwards. */
export async function withTemporaryMemory<T>(
  embedder: Embedder | undefined,
  body: (memory: MemoryEngine) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "cairn-bench-"));
  try {
    return await withMemory(join(folder, "bench.db"), embedder, body);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Runs `body` with a memory of these episodes and their vectors. Making the vectors is nearly all of
 * the time of a run: where CAIRN_BENCH_KEEP names a folder, the database stays there and the next
 * run with the same episodes and embedder finds it. Only for trials of the ranking: what is stored
 * is that of the code which filled it.
 */
export async function withMemoryOf<T>(
  embedder: Embedder | undefined,
  episodes: readonly Record<string, unknown>[],
  body: (memory: MemoryEngine) => Promise<T>,
): Promise<T> {
  const keep = process.env["CAIRN_BENCH_KEEP"];
  if (keep === undefined) {
    return withTemporaryMemory(embedder, async (memory) => {
      await rememberAll(memory, episodes);
      return body(memory);
    });
  }
  mkdirSync(keep, { recursive: true });
  const key = JSON.stringify([embedder?.identity, episodes]);
  const path = join(keep, `${createHash("sha256").update(key).digest("hex").slice(0, 16)}.db`);
  if (!existsSync(path)) {
    const unfinished = `${path}.${process.pid}`;
    await withMemory(unfinished, embedder, (memory) => rememberAll(memory, episodes));
    renameSync(unfinished, path);
  }
  return withMemory(path, embedder, body);
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

/** Remembers episodes in changesets, and makes their vectors. */
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
