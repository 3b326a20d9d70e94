import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
  embedder: Embedder,
  body: (memory: MemoryEngine) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "cairn-bench-"));
  const memory = openMemory({
    name: "bench",
    path: join(folder, "bench.db"),
    embedder,
    operations: createOperations(),
    logger: stderrLogger(),
  });
  try {
    return await body(memory);
  } finally {
    await memory.close();
    rmSync(folder, { recursive: true, force: true });
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
