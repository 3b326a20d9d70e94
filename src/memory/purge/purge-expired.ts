import { and, asc, lte, ne, type SQL, sql } from "drizzle-orm";
import type { Database, Tx } from "../../database/index.ts";
import type { Logger } from "../../shared/logger.ts";
import { FACT_CLUSTER } from "../concepts/concept.schema.ts";
import { concepts } from "../concepts/concept.table.ts";
import type { ExecuteOptions } from "../context/execute-options.ts";
import { purgedItems } from "../context/meta.table.ts";
import { episodes } from "../episodes/episode.table.ts";
import { episodeId } from "../input/item-ids.ts";
import type { Retention } from "./retention.ts";

const EXPIRED_PER_BATCH = 200;

export interface ExpiredPurge {
  readonly memory: {
    isThere(): Promise<boolean>;
    execute(
      name: "purge",
      input: { readonly ids: string[] },
      options: ExecuteOptions,
    ): Promise<unknown>;
  };
  readonly database: Database;
  readonly retention: Retention;
  readonly logger: Logger;
}

/** Purges expired items after a write, which succeeds regardless. `options` are the write's. */
export async function purgeExpired(
  { memory, database, retention, logger }: ExpiredPurge,
  options: ExecuteOptions,
): Promise<void> {
  const due = retention.takeDue();
  if (due === undefined || !(await memory.isThere())) return;
  try {
    const ids = await database.read((tx) => findExpired(tx, due, EXPIRED_PER_BATCH));
    if (ids.length === 0) return;
    // The writer triggers the purge but is not its author.
    const { caller: _writer, signal: _waiting, ...others } = options;
    await memory.execute("purge", { ids }, { ...others, author: "retention" });
    if (ids.length === EXPIRED_PER_BATCH) retention.lookAgain();
  } catch (error) {
    logger.warn(`Expired deleted items could not be purged: ${String(error)}`);
  }
}

/**
 * Finds up to `limit` episodes and concepts that were deleted by this time and still have text.
 * Clusters are purged with their facts.
 */
async function findExpired(tx: Tx, deletedBy: string, limit: number): Promise<string[]> {
  const expiredEpisodes = await tx
    .select({ id: episodes.id })
    .from(episodes)
    .where(
      and(
        lte(episodes.deletedAt, deletedBy),
        isNotPurged(sql`'ep:' || cast(${episodes.id} as text)`),
      ),
    )
    .orderBy(asc(episodes.deletedAt), asc(episodes.id))
    .limit(limit);
  const expiredConcepts = await tx
    .select({ id: concepts.publicId })
    .from(concepts)
    .where(
      and(
        lte(concepts.deletedAt, deletedBy),
        ne(concepts.type, FACT_CLUSTER),
        isNotPurged(sql`${concepts.publicId}`),
      ),
    )
    .orderBy(asc(concepts.deletedAt), asc(concepts.id))
    .limit(limit);
  const ids = [
    ...expiredEpisodes.map(({ id }) => episodeId(id)),
    ...expiredConcepts.map((row) => row.id),
  ];
  return ids.slice(0, limit);
}

function isNotPurged(item: SQL): SQL {
  return sql`not exists (select 1 from ${purgedItems} where ${purgedItems.item} = ${item})`;
}
