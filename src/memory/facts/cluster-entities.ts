import { and, eq, isNull, sql } from "drizzle-orm";
import { insertRows, smallerOf, type Tx } from "../../database/index.ts";
import { episodes } from "../episodes/episode.table.ts";
import { clusterEntities, facts } from "./fact.table.ts";

export function entityKey(entityNumbers: readonly number[]): string {
  return [...entityNumbers].sort((a, b) => a - b).join(",");
}

export function entitiesOfKey(key: string): number[] {
  return key === "" ? [] : key.split(",").map(Number);
}

const isActive = and(eq(facts.status, "active"), isNull(episodes.deletedAt));

/** The entities of one active fact. */
export interface EntitiesOfFact {
  readonly clusterId: number;
  readonly entities: readonly number[];
}

/** Adds the entities of new active facts of their clusters. */
export function addClusterEntities(tx: Tx, added: readonly EntitiesOfFact[]): Promise<void> {
  const rows = new Map<string, typeof clusterEntities.$inferInsert>();
  for (const { clusterId, entities } of added) {
    for (const entityId of entities) {
      const place = `${clusterId}/${entityId}`;
      const smallest = Math.min(entities.length, rows.get(place)?.smallest ?? entities.length);
      rows.set(place, { clusterId, entityId, smallest });
    }
  }
  return insertClusterEntities(tx, [...rows.values()]);
}

const insertClusterEntities = insertRows(clusterEntities, {
  onConflict: {
    target: [clusterEntities.clusterId, clusterEntities.entityId],
    set: { smallest: smallerOf(sql`${clusterEntities.smallest}`, sql`excluded.smallest`) },
  },
});

export async function rebuildClusterEntities(tx: Tx, clusterId: number): Promise<void> {
  await tx.delete(clusterEntities).where(eq(clusterEntities.clusterId, clusterId));
  const keys = await tx
    .selectDistinct({ key: facts.entityKey })
    .from(facts)
    .innerJoin(episodes, eq(episodes.id, facts.episodeId))
    .where(and(eq(facts.clusterId, clusterId), isActive));
  await addClusterEntities(
    tx,
    keys.map(({ key }) => ({ clusterId, entities: entitiesOfKey(key) })),
  );
}
