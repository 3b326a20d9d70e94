import { inArray, sql } from "drizzle-orm";
import {
  insertNumberedRows,
  listOfRows,
  preparedQuery,
  rowsParameter,
  type Tx,
} from "../../database/index.ts";
import { FACT_CLUSTER } from "../concepts/concept.schema.ts";
import { concepts } from "../concepts/concept.table.ts";
import type { WriteContext } from "../context/write-context.ts";
import { entityId } from "../entities/entity.queries.ts";
import type { MentionedEntity } from "../entities/mention.queries.ts";
import type { NewEpisodeRow } from "../episodes/episode.queries.ts";
import { factId } from "../input/item-ids.ts";
import {
  addClusterEntities,
  entityKey,
  type FactClusterKey,
  type KnownClusters,
  loadKnownClusters,
} from "./cluster-entities.ts";
import { createClusterTitle } from "./cluster-title.ts";
import { statementHash } from "./fact.queries.ts";
import type { CollisionRecord } from "./fact.schema.ts";
import { facts } from "./fact.table.ts";
import { type ClusterCandidate, matchCluster } from "./match-cluster.ts";
import { type NewFact, showCollisions } from "./show-collisions.ts";

interface NewClaim {
  readonly statement: string;
  readonly entities: readonly number[];
}

interface ChosenCluster {
  readonly number: number;
  readonly publicId: string | undefined;
  readonly isNew: boolean;
  readonly isAboutTheSame: boolean;
}

/** Temporary numbers for new clusters, above all existing numbers. */
const FIRST_PLACEHOLDER_NUMBER = 2 ** 52;

/**
 * Assigns each new fact to a cluster, in order, so that a fact can join a cluster created by an
 * earlier one: the oldest cluster with exactly the same entities, else by `matchCluster`. A fact
 * without entities joins the oldest cluster with the same text.
 */
async function chooseClusters(tx: Tx, claims: readonly NewClaim[]): Promise<ChosenCluster[]> {
  const locations = claims.map(({ statement, entities }) => ({
    key: entityKey(entities),
    hash: statementHash(statement),
    entities,
  }));
  const known = await loadKnownClusters(tx, locations);
  const created = new ClusterInBatch();
  return locations.map((location) => {
    const chosen = chooseCluster(location, known, created) ?? created.open();
    created.add(location, chosen);
    return { ...chosen, publicId: known.publicIds.get(chosen.number) };
  });
}

type ClusterChoice = Omit<ChosenCluster, "publicId">;

function chooseCluster(
  location: FactClusterKey,
  known: KnownClusters,
  created: ClusterInBatch,
): ClusterChoice | undefined {
  if (location.entities.length === 0) {
    return toClusterChoice(
      known.ofText.get(location.hash) ?? created.ofText.get(location.hash),
      false,
    );
  }
  const same = Math.min(
    known.ofKey.get(location.key) ?? Number.POSITIVE_INFINITY,
    created.ofKey.get(location.key) ?? Number.POSITIVE_INFINITY,
  );
  if (Number.isFinite(same)) return toClusterChoice(same, true);
  const candidates = [
    ...(known.within.get(location.key) ?? []),
    ...created.candidates(location.entities),
  ];
  return toClusterChoice(matchCluster(location.entities, candidates), false);
}

function toClusterChoice(
  number: number | undefined,
  isAboutTheSame: boolean,
): ClusterChoice | undefined {
  return number === undefined ? undefined : { number, isNew: false, isAboutTheSame };
}

class ClusterInBatch {
  readonly ofKey = new Map<string, number>();
  readonly ofText = new Map<string, number>();
  readonly #sets: ClusterCandidate[] = [];
  #opened = 0;

  open(): ClusterChoice {
    this.#opened += 1;
    return { number: FIRST_PLACEHOLDER_NUMBER + this.#opened, isNew: true, isAboutTheSame: false };
  }

  add({ key, hash, entities }: FactClusterKey, { number }: ClusterChoice): void {
    const known = this.ofKey.get(key);
    if (known === undefined) this.#sets.push({ clusterId: number, entities });
    if (known === undefined || number < known) this.ofKey.set(key, number);
    if (!this.ofText.has(hash)) this.ofText.set(hash, number);
  }

  candidates(entities: readonly number[]): ClusterCandidate[] {
    const sharing = new Set(
      this.#sets
        .filter((set) => set.entities.some((number) => entities.includes(number)))
        .map(({ clusterId }) => clusterId),
    );
    return this.#sets.filter(({ clusterId }) => sharing.has(clusterId));
  }
}

export interface AddedFact {
  readonly fact_id: string;
  readonly cluster_id: string;
  readonly cluster_created: boolean;
  readonly collisions: CollisionRecord[];
  readonly collisions_total?: number;
  readonly collisions_omitted?: true;
}

export interface Claim {
  readonly episode: NewEpisodeRow;
  readonly entities: readonly MentionedEntity[];
}

/** Adds claims to clusters, in order, and finds collisions in a constant number of statements. */
export async function addFacts(
  context: WriteContext,
  claims: readonly Claim[],
): Promise<AddedFact[]> {
  if (claims.length === 0) return [];
  const chosen = await chooseClusters(
    context.tx,
    claims.map(({ episode, entities }) => ({
      statement: episode.content,
      entities: entities.map(({ id }) => id),
    })),
  );
  return addFactsTo(context, claims, chosen);
}

export async function addFactsTo(
  context: WriteContext,
  claims: readonly Claim[],
  chosen: readonly ChosenCluster[],
): Promise<AddedFact[]> {
  const { tx } = context;
  const clusters = await createClusters(context, claims, chosen);
  const numbers = await insertFacts(tx, createRows(context, claims, clusters));
  await growClusters(context, chosen);
  await recordEntities(tx, claims, { chosen, clusters });
  const created = claims.map(({ episode, entities }, index): NewFact => {
    const [number, cluster] = [numbers[index], clusters[index]];
    if (number === undefined || cluster === undefined) throw new Error("A fact was not stored.");
    return {
      number,
      clusterId: cluster.id,
      cluster: cluster.publicId,
      statement: episode.content,
      entities: entities.map(({ id }) => id),
      joins: chosen[index]?.isNew !== true,
    };
  });
  const collisions = await showCollisions(context, created);
  return created.map(({ number, joins }, index) => ({
    fact_id: factId(number),
    cluster_id: clusters[index]?.publicId ?? "",
    cluster_created: !joins,
    ...(collisions[index] ?? { collisions: [] }),
  }));
}

interface Cluster {
  readonly id: number;
  readonly publicId: string;
}

async function createClusters(
  context: WriteContext,
  claims: readonly Claim[],
  chosen: readonly ChosenCluster[],
): Promise<Cluster[]> {
  const { tx, now, ids } = context;
  const opened = claims.flatMap((claim, index) =>
    chosen[index]?.isNew === true ? [{ place: chosen[index].number, claim }] : [],
  );
  const rows = opened.map(({ place, claim: { episode, entities } }) => {
    const about = entities.length > 0 ? entities.map(entityId).join(", ") : episode.content;
    return {
      title: createClusterTitle(about),
      summary: "",
      tags: [],
      publicId: ids.next("c"),
      confidence: 0.5,
      type: FACT_CLUSTER,
      instanceCount: chosen.filter(({ number }) => number === place).length,
      createdAt: now,
      updatedAt: now,
    };
  });
  const numbers = await insertClusters(tx, rows);
  const created = new Map<number, Cluster>();
  for (const [index, row] of rows.entries()) {
    const [id, position] = [numbers[index], opened[index]?.place];
    if (id === undefined || position === undefined)
      throw new Error("A fact cluster was not stored.");
    context.touchNew({ kind: "concept", number: id, words: row });
    created.set(position, { id, publicId: row.publicId });
  }
  return chosen.map(
    ({ number, publicId }) => created.get(number) ?? { id: number, publicId: publicId ?? "" },
  );
}

const insertClusters = insertNumberedRows(concepts, concepts.id);

function createRows(
  { now }: WriteContext,
  claims: readonly Claim[],
  clusters: readonly Cluster[],
): (typeof facts.$inferInsert)[] {
  return claims.map(({ episode, entities }, index) => ({
    episodeId: episode.id,
    clusterId: clusters[index]?.id ?? 0,
    status: "active",
    statementHash: statementHash(episode.content),
    entityKey: entityKey(entities.map(({ id }) => id)),
    validFrom: episode.occurredAt ?? episode.createdAt,
    createdAt: now,
  }));
}

const insertFacts = insertNumberedRows(facts, facts.id);

/** Incremental `refreshCluster` after adding facts. */
async function growClusters(
  { tx, now }: WriteContext,
  chosen: readonly ChosenCluster[],
): Promise<void> {
  const grown = new Map<number, number>();
  for (const { number, publicId } of chosen) {
    if (publicId !== undefined) grown.set(number, (grown.get(number) ?? 0) + 1);
  }
  if (grown.size > 0) await addToCount(tx).execute({ now, grown: listOfRows([...grown]) });
}

const addToCount = preparedQuery((tx: Tx) => {
  const rows = rowsParameter("grown", { id: "number", more: "number" });
  const more = sql`(select grown.more from (${rows}) grown where grown.id = ${concepts.id})`;
  return tx
    .update(concepts)
    .set({
      instanceCount: sql`${concepts.instanceCount} + case ${concepts.type} when ${sql.raw(`'${FACT_CLUSTER}'`)} then ${more} else 0 end`,
      updatedAt: sql`${sql.placeholder("now")}`,
    })
    .where(inArray(concepts.id, sql`(select grown.id from (${rows}) grown)`))
    .prepare();
});

/** Marks clusters in which a fact has exactly these entities. */
function recordEntities(
  tx: Tx,
  claims: readonly Claim[],
  { chosen, clusters }: { chosen: readonly ChosenCluster[]; clusters: readonly Cluster[] },
): Promise<void> {
  return addClusterEntities(
    tx,
    claims.flatMap(({ entities }, index) => {
      const cluster = clusters[index];
      if (cluster === undefined || chosen[index]?.isAboutTheSame === true) return [];
      return [{ clusterId: cluster.id, entities: entities.map(({ id }) => id) }];
    }),
  );
}
