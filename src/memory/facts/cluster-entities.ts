import { and, asc, eq, isNull, sql } from "drizzle-orm";
import {
  insertRows,
  listOfValues,
  pairsNamed,
  preparedQuery,
  rowQuery,
  type Tx,
  valuesNamed,
} from "../../database/index.ts";
import { concepts } from "../concepts/concept.table.ts";
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

export interface Cluster {
  readonly id: number;
  readonly publicId: string;
}

/** The oldest cluster with an active fact about exactly these entities: similarity 1. */
export async function clusterOfSameEntities(
  tx: Tx,
  entityNumbers: readonly number[],
): Promise<Cluster | undefined> {
  const [row] = await clusterOfKey(tx).execute({ key: entityKey(entityNumbers) });
  return row;
}

const clusterOfKey = preparedQuery((tx) =>
  tx
    .select({ id: concepts.id, publicId: concepts.publicId })
    .from(facts)
    .innerJoin(episodes, eq(episodes.id, facts.episodeId))
    .innerJoin(concepts, eq(concepts.id, facts.clusterId))
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
  const limits = (await rarestFirst(tx, entityNumbers)).map((entityId, place) => [
    entityId,
    place === 0 ? Number.MAX_SAFE_INTEGER : 2 * n - 3 * place,
  ]);
  const sets = await setsWithin(tx).execute({ limits: JSON.stringify(limits) });
  return sets.map(({ clusterId, key }) => ({ clusterId, entities: entitiesOfKey(key) }));
}

const setsWithin = preparedQuery((tx) => {
  const within = sql`select ${clusterEntities.clusterId} from ${pairsNamed("limits")} wanted
    cross join ${clusterEntities} on ${clusterEntities.entityId} = wanted.first
    and ${clusterEntities.smallest} <= wanted.second`;
  return tx
    .selectDistinct({ clusterId: facts.clusterId, key: facts.entityKey })
    .from(facts)
    .innerJoin(episodes, eq(episodes.id, facts.episodeId))
    .where(and(sql`${facts.clusterId} in (${within})`, isActive))
    .prepare();
});

/** Entities that no cluster knows yet come first: they bound what the others have to read. */
async function rarestFirst(tx: Tx, entityNumbers: readonly number[]): Promise<number[]> {
  if (entityNumbers.length < 2) return [...entityNumbers];
  const uses = new Map(await usesOfEntities(tx, { entities: listOfValues(entityNumbers) }));
  return [...entityNumbers].sort((a, b) => (uses.get(a) ?? 0) - (uses.get(b) ?? 0));
}

const usesOfEntities = rowQuery<[entityId: number, uses: number]>(
  () => sql`select wanted.value, (
      select count(*) from (
        select 1 from ${clusterEntities} where ${clusterEntities.entityId} = wanted.value
        limit ${sql.raw(String(COUNT_UP_TO))}
      )) from (${valuesNamed("entities")}) wanted`,
);

/** Beyond this it does not matter how common an entity is. */
const COUNT_UP_TO = 1000;

/** Adds the entities of one new active fact of the cluster. */
export function addClusterEntities(
  tx: Tx,
  clusterId: number,
  entityNumbers: readonly number[],
): Promise<void> {
  const smallest = entityNumbers.length;
  return insertClusterEntities(
    tx,
    entityNumbers.map((entityId) => ({ clusterId, entityId, smallest })),
  );
}

const insertClusterEntities = insertRows(clusterEntities, {
  onConflict: {
    target: [clusterEntities.clusterId, clusterEntities.entityId],
    set: { smallest: sql`min(${clusterEntities.smallest}, excluded.smallest)` },
  },
});

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
