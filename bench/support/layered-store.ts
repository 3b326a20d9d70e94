import { existsSync, mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { openDatabaseBackend } from "../../src/database/index.ts";
import type { Embedder } from "../../src/embedding/index.ts";
import { createOperations, isDatabaseName, MemoryStore } from "../../src/memory/index.ts";
import { silentLogger } from "../../src/shared/logger.ts";
import { computeCacheKey, rememberAll, withTemporaryFolder } from "./temporary-memory.ts";

/** Layer names, innermost first. */
export const LAYERS = ["mine", "project", "team", "company"] as const;

/** Opens a store whose default database has the others as outer layers. */
export function openLayeredStore(
  folder: string,
  [nearest, ...farther]: readonly [string, ...string[]],
  embedder: Embedder | undefined,
): MemoryStore {
  return new MemoryStore({
    backend: openDatabaseBackend({ folder, address: undefined, isName: isDatabaseName }),
    defaultDatabase: nearest,
    operations: createOperations(),
    embedder,
    logger: silentLogger,
    episodeTypes: [],
    layers: farther,
  });
}

type Episodes = readonly Record<string, unknown>[];

/** Assigns each episode a group number. Groups are distributed over the layers round-robin. */
export type Dealing = (episodes: Episodes) => readonly number[];

export const byTurns: Dealing = (episodes) => episodes.map((_, n) => n);

export const bySessions: Dealing = (episodes) => {
  const sessions = [...new Set(episodes.map(({ session }) => session))];
  return episodes.map(({ session }) => sessions.indexOf(session));
};

/** Distributes the episodes over four layers and embeds them. */
export async function fillLayers(
  store: MemoryStore,
  episodes: Episodes,
  dealing: Dealing = byTurns,
): Promise<void> {
  const dealt = dealing(episodes);
  for (const [place, name] of LAYERS.entries()) {
    const part = episodes.filter((_, n) => (dealt[n] ?? 0) % LAYERS.length === place);
    await rememberAll(store.open(name), part);
  }
}

/**
 * Runs `body` with four layers of these episodes. If CAIRN_BENCH_KEEP names a folder, they stay
 * there.
 */
export async function withLayersOf<T>(
  embedder: Embedder,
  episodes: Episodes,
  body: (store: MemoryStore) => Promise<T>,
  dealing: Dealing = byTurns,
): Promise<T> {
  const keep = process.env.CAIRN_BENCH_KEEP;
  const ask = async (folder: string) => {
    const store = openLayeredStore(folder, LAYERS, embedder);
    try {
      return await body(store);
    } finally {
      await store.close();
    }
  };
  const fill = async (folder: string) => {
    mkdirSync(folder, { recursive: true });
    const store = openLayeredStore(folder, LAYERS, embedder);
    await fillLayers(store, episodes, dealing);
    await store.close();
  };
  if (keep === undefined) {
    return withTemporaryFolder(async (folder) => {
      await fill(folder);
      return ask(folder);
    });
  }
  const folder = join(
    keep,
    `layers-${computeCacheKey(embedder, episodes)}${dealing === byTurns ? "" : `-${dealing.name}`}`,
  );
  if (!existsSync(folder)) {
    await fill(`${folder}.new`);
    renameSync(`${folder}.new`, folder);
  }
  return ask(folder);
}
