import { count, eq } from "drizzle-orm";
import type { WriteContext } from "../context/write-context.ts";
import { rebuildClusterEntities } from "../facts/cluster-entities.ts";
import { countActiveFacts } from "../facts/fact.queries.ts";
import { facts } from "../facts/fact.table.ts";
import { FACT_CLUSTER } from "./concept.schema.ts";
import { conceptSources, concepts } from "./concept.table.ts";

/**
 * Recomputes a concept's instance count (active facts of a cluster, else distinct source episodes)
 * and its entities.
 */
export async function refreshCluster(context: WriteContext, number: number): Promise<void> {
  const { tx, now } = context;
  const [row] = await tx
    .select({ type: concepts.type })
    .from(concepts)
    .where(eq(concepts.id, number));
  const instanceCount =
    row?.type === FACT_CLUSTER
      ? await countActiveFacts(tx, number)
      : await countSources(context, number);
  await tx.update(concepts).set({ instanceCount, updatedAt: now }).where(eq(concepts.id, number));
  await rebuildClusterEntities(tx, number);
  context.touch("concept", number);
}

export async function refreshClusterOfEpisode(
  context: WriteContext,
  episodeNumber: number,
): Promise<void> {
  const [fact] = await context.tx
    .select({ clusterId: facts.clusterId })
    .from(facts)
    .where(eq(facts.episodeId, episodeNumber));
  if (fact !== undefined) await refreshCluster(context, fact.clusterId);
}

async function countSources({ tx }: WriteContext, number: number): Promise<number> {
  const [row] = await tx
    .select({ total: count() })
    .from(conceptSources)
    .where(eq(conceptSources.conceptId, number));
  return row?.total ?? 0;
}
