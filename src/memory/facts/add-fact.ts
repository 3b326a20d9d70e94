import { eq, sql } from "drizzle-orm";
import { preparedQuery, type Tx } from "../../database/index.ts";
import { FACT_CLUSTER } from "../concepts/concept.schema.ts";
import { concepts } from "../concepts/concept.table.ts";
import type { WriteContext } from "../context/write-context.ts";
import type { EntityRow } from "../entities/entity.queries.ts";
import { entityId } from "../entities/entity.queries.ts";
import type { EpisodeRow } from "../episodes/episode.queries.ts";
import { factId } from "../input/item-ids.ts";
import {
  addClusterEntities,
  clusterOfSameEntities,
  clustersWithin,
  entityKey,
} from "./cluster-entities.ts";
import { clusterTitle } from "./cluster-title.ts";
import { factsWithSameText, findCollisions, type NewFact, statementHash } from "./fact.queries.ts";
import type { CollisionRecord } from "./fact.schema.ts";
import { facts } from "./fact.table.ts";
import { matchCluster } from "./match-cluster.ts";
import { rankByCloseness } from "./rank-by-closeness.ts";

export interface AddedFact {
  readonly fact_id: string;
  readonly cluster_id: string;
  readonly cluster_created: boolean;
  /** The closest first; all of them where the call asks for all. */
  readonly collisions: CollisionRecord[];
  /** How many there are. */
  readonly collisions_total?: number;
  /** Set where a changeset has compared so many that these are left out. */
  readonly collisions_omitted?: true;
}

/** Puts the claim of a fact episode into its cluster and finds what it collides with. */
export async function addFact(
  context: WriteContext,
  episode: EpisodeRow,
  entities: readonly EntityRow[],
): Promise<AddedFact> {
  const { tx, now } = context;
  const entityNumbers = entities.map((entity) => entity.id);
  const joined = await findCluster(context, episode.content, entityNumbers);
  const cluster = joined ?? (await openCluster(context, episode, entities));
  const [row] = await insertFact(tx).execute({
    episode: episode.id,
    cluster: cluster.id,
    hash: statementHash(episode.content),
    key: entityKey(entityNumbers),
    validFrom: episode.occurredAt ?? episode.createdAt,
    now,
  });
  if (row === undefined) throw new Error("The fact was not stored.");
  await growCluster(context, cluster.id, entityNumbers);
  const fact = {
    number: row.id,
    clusterId: cluster.id,
    statement: episode.content,
    entities: entityNumbers,
  };
  return {
    fact_id: factId(row.id),
    cluster_id: cluster.publicId,
    cluster_created: joined === undefined,
    ...(joined === undefined
      ? { collisions: [], collisions_total: 0 }
      : await showCollisions(context, fact)),
  };
}

const insertFact = preparedQuery((tx) =>
  tx
    .insert(facts)
    .values({
      episodeId: sql.placeholder("episode"),
      clusterId: sql.placeholder("cluster"),
      status: "active",
      statementHash: sql.placeholder("hash"),
      entityKey: sql.placeholder("key"),
      validFrom: sql.placeholder("validFrom"),
      createdAt: sql.placeholder("now"),
    })
    .returning({ id: facts.id })
    .prepare(),
);

/** Collisions that an answer shows unless it is asked for all. */
const CLOSEST = 5;

async function showCollisions(
  { tx, collisions: wanted }: WriteContext,
  fact: NewFact,
): Promise<Pick<AddedFact, "collisions" | "collisions_total" | "collisions_omitted">> {
  if (wanted.left <= 0) return { collisions: [], collisions_omitted: true };
  const found = await findCollisions(tx, fact);
  wanted.left -= found.length;
  const ranked = rankByCloseness(fact.statement, found);
  const shown = wanted.all ? ranked : ranked.slice(0, CLOSEST);
  return {
    collisions: shown.map(({ id, text, assertedBy, validFrom }) => ({
      id: factId(id),
      statement: text,
      asserted_by: assertedBy,
      valid_from: validFrom,
    })),
    collisions_total: found.length,
  };
}

interface Cluster {
  readonly id: number;
  readonly publicId: string;
}

async function findCluster(
  { tx }: WriteContext,
  statement: string,
  entityNumbers: readonly number[],
): Promise<Cluster | undefined> {
  const number =
    entityNumbers.length > 0
      ? await clusterAbout(tx, entityNumbers)
      : (await factsWithSameText(tx, statement))[0]?.clusterId;
  if (number === undefined) return undefined;
  const [cluster] = await tx
    .select({ id: concepts.id, publicId: concepts.publicId })
    .from(concepts)
    .where(eq(concepts.id, number));
  return cluster;
}

async function clusterAbout(tx: Tx, entityNumbers: readonly number[]): Promise<number | undefined> {
  return (
    (await clusterOfSameEntities(tx, entityNumbers)) ??
    matchCluster(entityNumbers, await clustersWithin(tx, entityNumbers))
  );
}

/**
 * What `refreshCluster` would find after one more active fact, without counting the others. A
 * merge can make a concept of another type hold facts; its instances are its sources all the same.
 */
async function growCluster(
  context: WriteContext,
  clusterNumber: number,
  entityNumbers: readonly number[],
): Promise<void> {
  const { tx, now } = context;
  await addClusterEntities(tx, clusterNumber, entityNumbers);
  const one = sql`case ${concepts.type} when ${FACT_CLUSTER} then 1 else 0 end`;
  await tx
    .update(concepts)
    .set({ instanceCount: sql`${concepts.instanceCount} + ${one}`, updatedAt: now })
    .where(eq(concepts.id, clusterNumber));
  context.touch("concept", clusterNumber);
}

async function openCluster(
  { tx, now, ids }: WriteContext,
  episode: EpisodeRow,
  entities: readonly EntityRow[],
): Promise<Cluster> {
  const title = entities.length > 0 ? entities.map(entityId).join(", ") : episode.content;
  const publicId = ids.next("c");
  const [row] = await tx
    .insert(concepts)
    .values({
      publicId,
      title: clusterTitle(title),
      summary: "",
      confidence: 0.5,
      type: FACT_CLUSTER,
      tags: [],
      instanceCount: 0,
      createdAt: now,
      updatedAt: now,
    })
    .returning({ id: concepts.id, publicId: concepts.publicId });
  if (row === undefined) throw new Error("The fact cluster was not stored.");
  return row;
}
