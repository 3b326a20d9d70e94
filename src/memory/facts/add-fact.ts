import { eq, sql } from "drizzle-orm";
import { insertNumberedRows, preparedQuery } from "../../database/index.ts";
import { FACT_CLUSTER } from "../concepts/concept.schema.ts";
import { concepts } from "../concepts/concept.table.ts";
import type { WriteContext } from "../context/write-context.ts";
import type { EntityRow } from "../entities/entity.queries.ts";
import { entityId } from "../entities/entity.queries.ts";
import type { NewEpisodeRow } from "../episodes/episode.queries.ts";
import { factId } from "../input/item-ids.ts";
import {
  addClusterEntities,
  type Cluster,
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
  episode: NewEpisodeRow,
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
  if (joined !== undefined) await growCluster(context, cluster.id);
  if (joined?.isAboutTheSame !== true) await addClusterEntities(tx, cluster.id, entityNumbers);
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

interface JoinedCluster extends Cluster {
  /** A fact of it is about exactly the same entities. */
  readonly isAboutTheSame: boolean;
}

async function findCluster(
  { tx }: WriteContext,
  statement: string,
  entityNumbers: readonly number[],
): Promise<JoinedCluster | undefined> {
  if (entityNumbers.length > 0) {
    const same = await clusterOfSameEntities(tx, entityNumbers);
    if (same !== undefined) return { ...same, isAboutTheSame: true };
  }
  const number =
    entityNumbers.length > 0
      ? matchCluster(entityNumbers, await clustersWithin(tx, entityNumbers))
      : (await factsWithSameText(tx, statement))[0]?.clusterId;
  if (number === undefined) return undefined;
  const [cluster] = await tx
    .select({ id: concepts.id, publicId: concepts.publicId })
    .from(concepts)
    .where(eq(concepts.id, number));
  return cluster && { ...cluster, isAboutTheSame: false };
}

/**
 * What `refreshCluster` would find after one more active fact, without counting the others. A
 * merge can make a concept of another type hold facts; its instances are its sources all the same.
 * What the index holds of it stays as it is.
 */
async function growCluster({ tx, now }: WriteContext, clusterNumber: number): Promise<void> {
  await countOneMore(tx).execute({ now, clusterNumber });
}

const countOneMore = preparedQuery((tx) => {
  const one = sql`case ${concepts.type} when ${sql.raw(`'${FACT_CLUSTER}'`)} then 1 else 0 end`;
  return tx
    .update(concepts)
    .set({
      instanceCount: sql`${concepts.instanceCount} + ${one}`,
      updatedAt: sql`${sql.placeholder("now")}`,
    })
    .where(eq(concepts.id, sql.placeholder("clusterNumber")))
    .prepare();
});

async function openCluster(
  context: WriteContext,
  episode: NewEpisodeRow,
  entities: readonly EntityRow[],
): Promise<Cluster> {
  const { tx, now, ids } = context;
  const about = entities.length > 0 ? entities.map(entityId).join(", ") : episode.content;
  const cluster = { title: clusterTitle(about), summary: "", tags: [] };
  const publicId = ids.next("c");
  const [id] = await insertClusters(tx, [
    {
      ...cluster,
      publicId,
      confidence: 0.5,
      type: FACT_CLUSTER,
      instanceCount: 1,
      createdAt: now,
      updatedAt: now,
    },
  ]);
  if (id === undefined) throw new Error("The fact cluster was not stored.");
  context.touchNew({ kind: "concept", number: id, words: cluster });
  return { id, publicId };
}

const insertClusters = insertNumberedRows(concepts, concepts.id);
