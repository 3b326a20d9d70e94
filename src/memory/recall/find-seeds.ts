import { and, asc, desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { concepts } from "../concepts/concept.table.ts";
import { episodeEntities, episodes } from "../episodes/episode.table.ts";
import { facts } from "../facts/fact.table.ts";
import type { CandidateSet } from "../search/text-index.ts";
import { valueSet } from "../search/value-set.ts";
import { loadConceptsInScope, loadConceptsOf, loadVisibleEpisodes } from "./load-graph.ts";
import type { PreparedRecall } from "./prepare-recall.ts";
import {
  conceptInScope,
  episodeInScope,
  factHolds,
  isNarrow,
  type RecallScope,
} from "./recall-scope.ts";
import { searchKind } from "./search-kind.ts";
import { type Seed, type Seeds, strengthOf } from "./seed.ts";

/** The newest episodes of each entity that is asked for are candidates whatever they say. */
const EPISODES_OF_AN_ENTITY = 50;
/** Beyond this size a set is searched through the indexes, not item by item. */
const COUNTED_SET = 2000;

export interface SeedSearch {
  readonly prepared: PreparedRecall;
  readonly scope: RecallScope;
  /** Numbers of the entities that are asked for. */
  readonly entities: readonly number[];
  isLate(): boolean;
}

/** Episodes and concepts that the query matches by text, vector or entity, within the scope. */
export async function findSeeds(tx: Tx, search: SeedSearch): Promise<Seeds> {
  const mentioning = await episodesOfEntities(tx, search);
  const episodeSeeds = await findEpisodes(tx, search, mentioning);
  const clusters = await clustersOfFacts(tx, search.scope, episodeSeeds);
  const edges = await loadConceptsOf(tx, search.scope, mentioning);
  const conceptSeeds = await findConcepts(tx, search, {
    about: new Set(edges.map(({ concept }) => concept)),
    clusters,
  });
  return {
    episodes: episodeSeeds,
    concepts: conceptSeeds,
    clusters,
    complete: !search.isLate(),
  };
}

async function findEpisodes(
  tx: Tx,
  search: SeedSearch,
  mentioning: readonly number[],
): Promise<Map<number, Seed>> {
  const { scope } = search;
  const sessions = new Map<number, string | null>();
  const keepVisible = async (numbers: readonly number[]) => {
    const visible = await loadVisibleEpisodes(tx, scope, numbers);
    for (const [number, session] of visible) sessions.set(number, session);
    return new Set(visible.keys());
  };
  const further = [...(await keepVisible(mentioning))];
  const found = await searchKind(tx, {
    kind: "episode",
    prepared: search.prepared,
    among: isNarrow(scope) ? await episodeSet(tx, scope) : undefined,
    further,
    keepVisible,
    isLate: search.isLate,
  });
  const about = await whichMention(tx, [...found.keys()], search.entities);
  const seeds = Array.from(found, ([number, match]): [number, Seed] => [
    number,
    {
      number,
      ...match,
      entity: about.has(number) ? 1 : 0,
      session: sessions.get(number) ?? null,
    },
  ]);
  return new Map(seeds);
}

async function findConcepts(
  tx: Tx,
  search: SeedSearch,
  others: { about: ReadonlySet<number>; clusters: ReadonlyMap<number, Seed> },
): Promise<Map<number, Seed>> {
  const { scope } = search;
  const keepVisible = (numbers: readonly number[]) => loadConceptsInScope(tx, scope, numbers);
  const further = [...(await keepVisible([...others.about, ...others.clusters.keys()]))];
  const found = await searchKind(tx, {
    kind: "concept",
    prepared: search.prepared,
    among: isNarrow(scope) ? await conceptSet(tx, scope) : undefined,
    further,
    keepVisible,
    isLate: search.isLate,
  });
  const seeds = Array.from(found, ([number, match]): [number, Seed] => [
    number,
    { number, ...match, entity: others.about.has(number) ? 1 : 0, session: null },
  ]);
  return new Map(seeds);
}

async function episodesOfEntities(tx: Tx, { entities, scope }: SeedSearch): Promise<number[]> {
  const numbers: number[] = [];
  for (const entity of entities) {
    const rows = await tx
      .select({ id: episodeEntities.episodeId })
      .from(episodeEntities)
      .innerJoin(episodes, eq(episodes.id, episodeEntities.episodeId))
      .where(and(eq(episodeEntities.entityId, entity), episodeInScope(scope)))
      .orderBy(desc(episodeEntities.episodeId))
      .limit(EPISODES_OF_AN_ENTITY);
    for (const row of rows) numbers.push(row.id);
  }
  return [...new Set(numbers)];
}

async function whichMention(
  tx: Tx,
  numbers: readonly number[],
  entities: readonly number[],
): Promise<Set<number>> {
  if (entities.length === 0 || numbers.length === 0) return new Set();
  const rows = await tx
    .select({ id: episodeEntities.episodeId })
    .from(episodeEntities)
    .where(
      and(
        sql`${episodeEntities.episodeId} in (${valueSet(numbers)})`,
        inArray(episodeEntities.entityId, [...entities]),
      ),
    );
  return new Set(rows.map((row) => row.id));
}

/** For each cluster the best text and vector match of its facts. */
async function clustersOfFacts(
  tx: Tx,
  scope: RecallScope,
  seeds: ReadonlyMap<number, Seed>,
): Promise<Map<number, Seed>> {
  const direct = [...seeds.values()].filter((seed) => strengthOf(seed) > 0);
  if (direct.length === 0) return new Map();
  const rows = await tx
    .select({ episodeId: facts.episodeId, clusterId: facts.clusterId })
    .from(facts)
    .where(
      and(
        sql`${facts.episodeId} in (${valueSet(direct.map(({ number }) => number))})`,
        factHolds(scope),
      ),
    )
    .orderBy(asc(facts.id));
  const clusters = new Map<number, Seed>();
  for (const { episodeId, clusterId } of rows) {
    const seed = seeds.get(episodeId);
    if (seed === undefined) continue;
    const known = clusters.get(clusterId);
    if (known === undefined || strengthOf(seed) > strengthOf(known)) clusters.set(clusterId, seed);
  }
  return clusters;
}

async function episodeSet(tx: Tx, scope: RecallScope): Promise<CandidateSet> {
  const query = tx.select({ id: episodes.id }).from(episodes).where(episodeInScope(scope));
  return countSet(tx, query.getSQL());
}

async function conceptSet(tx: Tx, scope: RecallScope): Promise<CandidateSet> {
  const query = tx.select({ id: concepts.id }).from(concepts).where(conceptInScope(scope));
  return countSet(tx, query.getSQL());
}

/** A small set is read once; a large one stays a subquery. */
async function countSet(tx: Tx, subquery: SQL): Promise<CandidateSet> {
  const rows = await tx.all<{ id: number }>(sql`${subquery} limit ${COUNTED_SET + 1}`);
  if (rows.length > COUNTED_SET) return { numbers: subquery };
  return { numbers: valueSet(rows.map((row) => row.id)), size: rows.length };
}
