import { and, asc, count, eq, inArray, isNull, lte, sql } from "drizzle-orm";
import { preparedQuery, type Tx } from "../../database/index.ts";
import { inBatches } from "../../kernel/in-batches.ts";
import { episodes } from "../episodes/episode.table.ts";
import { clusterEntities, facts } from "./fact.table.ts";
import type { ClusterCandidate } from "./match-cluster.ts";

export function entityKey(entityNumbers: readonly number[]): string {
  return [...entityNumbers].sort((a, b) => a - b).join(",");
}

function entitiesOfKey(key: string): number[] {
  return key === "" ? [] : key.split(",").map(Number);
}

const isActive = and(eq(facts.status, "active"), isNull(episodes.deletedAt));

/** The oldest cluster with an active fact about exactly these entities: similarity 1. */
export async function clusterOfSameEntities(
  tx: Tx,
  entityNumbers: readonly number[],
): Promise<number | undefined> {
  const [row] = await clusterOfKey(tx).execute({ key: entityKey(entityNumbers) });
  return row?.clusterId;
}

const clusterOfKey = preparedQuery((tx) =>
  tx
    .select({ clusterId: facts.clusterId })
    .from(facts)
    .innerJoin(episodes, eq(episodes.id, facts.episodeId))
    .where(and(eq(facts.entityKey, sql.placeholder("key")), isActive))
    .orderBy(asc(facts.clusterId))
    .limit(1)
    .prepare(),
);

/**
 * The distinct entity sets of every cluster that may reach a Jaccard similarity of one half with
 * these n entities. A set F that shares s of them reaches it only when |F| <= 3s - n. Taken rarest
 * first, a set that lacks the first i entities shares at most n - i, so of the clusters that hold
 * the entity at place i only those matter whose smallest set has at most 2n - 3i entities: an
 * entity that nearly all facts name is never read in full unless it stands alone.
 */
export async function clustersWithin(
  tx: Tx,
  entityNumbers: readonly number[],
): Promise<ClusterCandidate[]> {
  const n = entityNumbers.length;
  const clusterIds = new Set<number>();
  for (const [place, entityId] of (await rarestFirst(tx, entityNumbers)).entries()) {
    const rows = await tx
      .select({ clusterId: clusterEntities.clusterId })
      .from(clusterEntities)
      .where(
        and(
          eq(clusterEntities.entityId, entityId),
          place === 0 ? undefined : lte(clusterEntities.smallest, 2 * n - 3 * place),
        ),
      );
    for (const row of rows) clusterIds.add(row.clusterId);
  }
  const sets = await inBatches([...clusterIds], (slice) =>
    tx
      .selectDistinct({ clusterId: facts.clusterId, key: facts.entityKey })
      .from(facts)
      .innerJoin(episodes, eq(episodes.id, facts.episodeId))
      .where(and(inArray(facts.clusterId, slice), isActive)),
  );
  return sets.map(({ clusterId, key }) => ({ clusterId, entities: entitiesOfKey(key) }));
}

/** Entities that no cluster knows yet come first: they bound what the others have to read. */
async function rarestFirst(tx: Tx, entityNumbers: readonly number[]): Promise<number[]> {
  const uses = new Map<number, number>();
  for (const entityId of entityNumbers) {
    const [row] = await usesOfEntity(tx).execute({ entityId });
    uses.set(entityId, row?.total ?? 0);
  }
  return [...entityNumbers].sort((a, b) => (uses.get(a) ?? 0) - (uses.get(b) ?? 0));
}

const usesOfEntity = preparedQuery((tx) =>
  tx
    .select({ total: count() })
    .from(
      tx
        .select({ one: sql`1`.as("one") })
        .from(clusterEntities)
        .where(eq(clusterEntities.entityId, sql.placeholder("entityId")))
        .limit(COUNT_UP_TO)
        .as("some"),
    )
    .prepare(),
);

/** Beyond this it does not matter how common an entity is. */
const COUNT_UP_TO = 1000;

/** Adds the entities of one new active fact of the cluster. */
export async function addClusterEntities(
  tx: Tx,
  clusterId: number,
  entityNumbers: readonly number[],
): Promise<void> {
  const smallest = entityNumbers.length;
  for (const entityId of entityNumbers) {
    await insertClusterEntity(tx).execute({ clusterId, entityId, smallest });
  }
}

const insertClusterEntity = preparedQuery((tx) =>
  tx
    .insert(clusterEntities)
    .values({
      clusterId: sql.placeholder("clusterId"),
      entityId: sql.placeholder("entityId"),
      smallest: sql.placeholder("smallest"),
    })
    .onConflictDoUpdate({
      target: [clusterEntities.clusterId, clusterEntities.entityId],
      set: { smallest: sql`min(${clusterEntities.smallest}, excluded.smallest)` },
    })
    .prepare(),
);

/** Writes the entities of the cluster anew from its active facts. */
export async function rebuildClusterEntities(tx: Tx, clusterId: number): Promise<void> {
  await tx.delete(clusterEntities).where(eq(clusterEntities.clusterId, clusterId));
  const keys = await tx
    .selectDistinct({ key: facts.entityKey })
    .from(facts)
    .innerJoin(episodes, eq(episodes.id, facts.episodeId))
    .where(and(eq(facts.clusterId, clusterId), isActive));
  for (const { key } of keys) await addClusterEntities(tx, clusterId, entitiesOfKey(key));
}
