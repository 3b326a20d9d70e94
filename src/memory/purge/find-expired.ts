import { and, asc, lte, ne, type SQL, sql } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { FACT_CLUSTER } from "../concepts/concept.schema.ts";
import { concepts } from "../concepts/concept.table.ts";
import { purgedItems } from "../context/meta.table.ts";
import { episodes } from "../episodes/episode.table.ts";
import { episodeId } from "../input/item-ids.ts";

/**
 * Ids of at most `limit` episodes and concepts that were deleted at or before this time and still
 * have their text. Clusters are not listed: they go with their facts.
 */
export async function findExpired(tx: Tx, deletedBy: string, limit: number): Promise<string[]> {
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

/** Condition on the id of an item: its text has not been purged. */
export function isNotPurged(item: SQL): SQL {
  return sql`not exists (select 1 from ${purgedItems} where ${purgedItems.item} = ${item})`;
}
