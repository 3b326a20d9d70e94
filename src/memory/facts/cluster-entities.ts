import { and, eq, isNull, sql } from "drizzle-orm";
import {
  insertRows,
  listOfRows,
  ORDERED_JOIN,
  rowQuery,
  rowsParameter,
  scalarMin,
  type Tx,
} from "../../database/index.ts";
import { episodes } from "../episodes/episode.table.ts";
import { clusterEntities, facts } from "./fact.table.ts";
import type { ClusterCandidate } from "./match-cluster.ts";

export function entityKey(entityNumbers: readonly number[]): string {
  return [...entityNumbers].sort((a, b) => a - b).join(",");
}

export function parseEntityKey(key: string): number[] {
  return key === "" ? [] : key.split(",").map(Number);
}

const isActive = and(eq(facts.status, "active"), isNull(episodes.deletedAt));

export interface EntitiesOfFact {
  readonly clusterId: number;
  readonly entities: readonly number[];
}

export function addClusterEntities(tx: Tx, added: readonly EntitiesOfFact[]): Promise<void> {
  const rows = new Map<string, typeof clusterEntities.$inferInsert>();
  for (const { clusterId, entities } of added) {
    for (const entityId of entities) {
      const key = `${clusterId}/${entityId}`;
      const smallest = Math.min(entities.length, rows.get(key)?.smallest ?? entities.length);
      rows.set(key, { clusterId, entityId, smallest });
    }
  }
  return insertClusterEntities(tx, [...rows.values()]);
}

const insertClusterEntities = insertRows(clusterEntities, {
  onConflict: {
    target: [clusterEntities.clusterId, clusterEntities.entityId],
    set: { smallest: scalarMin(sql`${clusterEntities.smallest}`, sql`excluded.smallest`) },
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
    keys.map(({ key }) => ({ clusterId, entities: parseEntityKey(key) })),
  );
}

export interface FactClusterKey {
  /** `entityKey` of its entities; empty if there are none. */
  readonly key: string;
  readonly hash: string;
  readonly entities: readonly number[];
}

export interface KnownClusters {
  readonly ofKey: ReadonlyMap<string, number>;
  readonly ofText: ReadonlyMap<string, number>;
  readonly within: ReadonlyMap<string, readonly ClusterCandidate[]>;
  readonly publicIds: ReadonlyMap<number, string>;
}

export async function loadKnownClusters(
  tx: Tx,
  locations: readonly FactClusterKey[],
): Promise<KnownClusters> {
  const requests = [
    ...new Map(locations.map((location) => [getName(location), location])).values(),
  ];
  const rows = await knownClusters(tx, {
    asked: listOfRows(
      requests.map((location) => [getName(location), location.key === "" ? location.hash : ""]),
    ),
    about: listOfRows(
      requests.flatMap((location) =>
        location.entities.map((entity) => [getName(location), entity]),
      ),
    ),
  });
  const [ofKey, ofText] = [new Map<string, number>(), new Map<string, number>()];
  const within = new Map<string, ClusterCandidate[]>();
  const publicIds = new Map<number, string>();
  for (const [found, path, clusterId, publicId, set] of rows) {
    publicIds.set(clusterId, publicId);
    if (found === "key") ofKey.set(path, clusterId);
    else if (found === "text") ofText.set(path, clusterId);
    else {
      const sets = within.get(path) ?? [];
      sets.push({ clusterId, entities: parseEntityKey(set) });
      within.set(path, sets);
    }
  }
  return { ofKey, ofText, within, publicIds };
}

const getName = ({ key, hash }: FactClusterKey) => (key === "" ? hash : key);

const MAX_COUNTED = 1000;
const ACTIVE_CONDITION = sql`facts.status = 'active' and episodes.deleted_at is null`;
const CLAIM_ROWS = sql`facts ${ORDERED_JOIN} episodes on episodes.id = facts.episode_id`;

const knownClusters = rowQuery<
  [found: "key" | "text" | "set", place: string, cluster: number, publicId: string, set: string]
>(
  () => sql`with asked as materialized (
      ${rowsParameter("asked", { place: "text", hash: "text" })}
    ), of_key as materialized (
      select asked.place, min(facts.cluster_id) as cluster_id
      from asked ${ORDERED_JOIN} facts on facts.entity_key = asked.place
      ${ORDERED_JOIN} episodes on episodes.id = facts.episode_id
      where asked.place <> '' and ${ACTIVE_CONDITION} group by asked.place
    ), of_text as (
      select asked.hash, (
        select facts.cluster_id from ${CLAIM_ROWS}
        where facts.statement_hash = asked.hash and ${ACTIVE_CONDITION} order by facts.id limit 1
      ) as cluster_id from asked where asked.hash <> ''
    ), uses as (
      select about.place, about.entity as entity_id, (
        select count(*) from (select 1 from cluster_entities known
          where known.entity_id = about.entity limit ${sql.raw(String(MAX_COUNTED))}) counted
      ) as uses from (${rowsParameter("about", { place: "text", entity: "number" })}) about
      where about.place not in (select place from of_key)
    ), ranked as (
      select place, entity_id, row_number() over (partition by place order by uses) - 1 as rank,
        count(*) over (partition by place) as size from uses
    ), near as (
      select distinct ranked.place, known.cluster_id from ranked
      ${ORDERED_JOIN} cluster_entities known on known.entity_id = ranked.entity_id
      and known.smallest <= case ranked.rank when 0 then known.smallest
        else 2 * ranked.size - 3 * ranked.rank end
    ), sets as (
      select distinct near.place, facts.cluster_id, facts.entity_key from near
      ${ORDERED_JOIN} facts on facts.cluster_id = near.cluster_id
      ${ORDERED_JOIN} episodes on episodes.id = facts.episode_id where ${ACTIVE_CONDITION}
    )
    select 'key' as found, of_key.place, concepts.id, concepts.public_id, '' as entity_key
      from of_key ${ORDERED_JOIN} concepts on concepts.id = of_key.cluster_id
    union all select 'text', of_text.hash, concepts.id, concepts.public_id, ''
      from of_text ${ORDERED_JOIN} concepts on concepts.id = of_text.cluster_id
    union all select 'set', sets.place, concepts.id, concepts.public_id, sets.entity_key
      from sets ${ORDERED_JOIN} concepts on concepts.id = sets.cluster_id`,
);
