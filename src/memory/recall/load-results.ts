import { eq, type SQL, sql } from "drizzle-orm";
import {
  listOfValues,
  preparedQuery,
  rowQuery,
  type Tx,
  valueSet,
  valuesNamed,
} from "../../database/index.ts";
import { groupBy, indexBy } from "../../kernel/group-by.ts";
import { FACT_CLUSTER } from "../concepts/concept.schema.ts";
import { concepts } from "../concepts/concept.table.ts";
import { openConflictsOfFacts } from "../conflicts/conflict.queries.ts";
import type { ConflictRecord } from "../conflicts/conflict.schema.ts";
import { entitiesOfEpisodes, entityId } from "../entities/entity.queries.ts";
import { entities } from "../entities/entity.table.ts";
import { episodes } from "../episodes/episode.table.ts";
import { loadFacts } from "../facts/fact.queries.ts";
import type { FactRecord } from "../facts/fact.schema.ts";
import { facts } from "../facts/fact.table.ts";
import { episodeId, factId, parseNumberedId } from "../input/item-ids.ts";
import { labelsOfConcepts, labelsOfEpisodes } from "../labels/label.queries.ts";
import { type Activation, contributionsOf, explainActivation } from "./activation.ts";
import type { Ranked } from "./rank.ts";
import type { Explanation, RecalledConcept, RecalledEpisode } from "./recall.schema.ts";
import {
  conceptMatchesItself,
  episodeInScope,
  episodeIsVisible,
  factHolds,
  isNarrowedByChoice,
  type RecallScope,
} from "./recall-scope.ts";
import { type SeedFact, type Seeds, strengthOf } from "./seed.ts";
import type { ActivatedConcept } from "./spread-activation.ts";

/** A cluster may hold thousands; its detail shows them all. */
const FACTS_OF_A_CLUSTER = 50;

export interface ResultSearch {
  readonly scope: RecallScope;
  readonly seeds: Seeds;
  /** Numbers of the entities that are asked for. */
  readonly entities: readonly number[];
  readonly explain: boolean;
}

export async function loadRecalledEpisodes(
  tx: Tx,
  ranked: readonly Ranked<Activation>[],
  search: ResultSearch,
): Promise<RecalledEpisode[]> {
  if (ranked.length === 0) return [];
  const numbers = ranked.map(({ number }) => number);
  const values = { numbers: listOfValues(numbers) };
  const records = indexBy(await episodesByNumber(tx).execute(values), (row) => row.id);
  const mentions = groupBy(await entitiesOfEpisodes(tx, numbers), (row) => row.episodeId);
  const labels = await labelsOfEpisodes(tx, numbers);
  const explain = await explainer(
    tx,
    ranked.map(({ item }) => item),
    search,
  );
  return ranked.flatMap(({ number, score, item }) => {
    const record = records.get(number);
    if (record === undefined) return [];
    return {
      id: episodeId(number),
      content: record.content,
      episode_type: record.episodeType,
      score,
      created_at: record.createdAt,
      occurred_at: record.occurredAt,
      asserted_by: record.assertedBy,
      source_ref: record.sourceRef,
      entities: (mentions.get(number) ?? []).map(({ entity }) => entityId(entity)),
      labels: labels.get(number) ?? [],
      fact_id: record.fact === null ? null : factId(record.fact),
      ...explain(item),
    };
  });
}

const episodesByNumber = preparedQuery((tx) =>
  tx
    .select({
      id: episodes.id,
      content: episodes.content,
      episodeType: episodes.episodeType,
      createdAt: episodes.createdAt,
      occurredAt: episodes.occurredAt,
      assertedBy: episodes.assertedBy,
      sourceRef: episodes.sourceRef,
      fact: facts.id,
    })
    .from(episodes)
    .leftJoin(facts, eq(facts.episodeId, episodes.id))
    .where(sql`${episodes.id} in (${valuesNamed("numbers")})`)
    .prepare(),
);

export async function loadRecalledConcepts(
  tx: Tx,
  ranked: readonly Ranked<ActivatedConcept>[],
  search: ResultSearch,
): Promise<RecalledConcept[]> {
  if (ranked.length === 0) return [];
  const numbers = ranked.map(({ number }) => number);
  const values = { numbers: listOfValues(numbers) };
  const records = indexBy(await conceptsByNumber(tx).execute(values), (row) => row.id);
  const labels = await labelsOfConcepts(tx, numbers);
  const clusterFacts = await loadHoldingFacts(tx, numbers, search);
  const vias = await loadVias(tx, ranked, search);
  const explain = await explainer(
    tx,
    ranked.map(({ item }) => item.parts),
    search,
  );
  return ranked.flatMap(({ number, score, item }) => {
    const record = records.get(number);
    if (record === undefined) return [];
    const shown = clusterFacts.get(number) ?? [];
    const via = vias.get(number);
    return {
      id: record.publicId,
      title: record.title,
      summary: record.summary,
      type: record.type,
      confidence: record.confidence,
      score,
      source: sourceOf(item),
      hops: item.path?.hops ?? 0,
      ...(via !== undefined && { via }),
      ...((shown.length > 0 || record.type === FACT_CLUSTER) && { facts: shown }),
      ...(shown.length === FACTS_OF_A_CLUSTER &&
        record.instanceCount > shown.length && { fact_count: record.instanceCount }),
      labels: labels.get(number) ?? [],
      created_at: record.createdAt,
      ...explain(item.parts),
    };
  });
}

/** What an item's record says of its score; nothing unless it is asked for. */
export async function explainer(
  tx: Tx,
  explained: readonly Activation[],
  search: Pick<ResultSearch, "explain" | "entities">,
): Promise<(parts: Activation) => { explain?: Explanation }> {
  if (!search.explain) return () => ({});
  const lenders = explained.flatMap(({ arrivals = [] }) => arrivals.map(({ from }) => from));
  const numbers = lenders.filter(({ kind }) => kind === "concept").map(({ number }) => number);
  const rows = numbers.length === 0 ? [] : await publicIdsOf(tx, numbers);
  const publicIds = new Map(rows.map((row) => [row.id, row.publicId]));
  const entity = await soleEntity(tx, search.entities);
  return (parts) => ({
    explain: {
      ...explainActivation(parts),
      contributions: contributionsOf(parts, ({ kind, number }) =>
        kind === "episode" ? episodeId(number) : publicIds.get(number),
      ).map((one) =>
        one.kind === "entity" && entity !== undefined ? { ...one, from: entity } : one,
      ),
    },
  });
}

const conceptsByNumber = preparedQuery((tx) =>
  tx
    .select({
      id: concepts.id,
      publicId: concepts.publicId,
      title: concepts.title,
      summary: concepts.summary,
      type: concepts.type,
      confidence: concepts.confidence,
      createdAt: concepts.createdAt,
      instanceCount: concepts.instanceCount,
    })
    .from(concepts)
    .where(sql`${concepts.id} in (${valuesNamed("numbers")})`)
    .prepare(),
);

function sourceOf({ parts, path }: ActivatedConcept): RecalledConcept["source"] {
  if (path !== undefined) return "spread";
  return strengthOf(parts) > 0 ? "direct" : "entity";
}

/**
 * Facts of each concept that hold, the best matches first, then the newest. Where a concept is in
 * the scope only by its facts, it shows only those that are.
 */
async function loadHoldingFacts(
  tx: Tx,
  conceptNumbers: readonly number[],
  search: ResultSearch,
): Promise<Map<number, FactRecord[]>> {
  const { scope, seeds } = search;
  const whole = await conceptsInScopeThemselves(tx, scope, conceptNumbers);
  const strength = ({ episode }: SeedFact) => {
    const seed = seeds.episodes.get(episode);
    return seed === undefined ? 0 : strengthOf(seed);
  };
  const chosen = new Map<number, SeedFact[]>();
  const matching = groupBy(seeds.facts, ({ concept }) => concept);
  for (const concept of conceptNumbers) {
    const inScope = whole.has(concept) ? [] : await newestFacts(tx, scope, concept);
    // A concept that only the graph led to lies outside of the scope, with all its facts.
    const newest = inScope.length > 0 ? inScope : await newestVisibleFacts(tx, scope, concept);
    const rows = [...newest, ...(matching.get(concept) ?? [])];
    const best = [...indexBy(rows, ({ id }) => id).values()].sort(
      (a, b) => strength(b) - strength(a) || b.id - a.id,
    );
    chosen.set(concept, best.slice(0, FACTS_OF_A_CLUSTER));
  }
  const records = indexBy(
    await loadFacts(
      tx,
      [...chosen.values()].flat().map(({ id }) => id),
    ),
    (fact) => fact.id,
  );
  return new Map(
    Array.from(chosen, ([number, rows]) => [
      number,
      rows.flatMap(({ id }) => records.get(factId(id)) ?? []),
    ]),
  );
}

/** Concepts whose facts are all shown: those that labels, topic and entity hold for. */
async function conceptsInScopeThemselves(
  tx: Tx,
  scope: RecallScope,
  conceptNumbers: readonly number[],
): Promise<Set<number>> {
  if (!isNarrowedByChoice(scope)) return new Set(conceptNumbers);
  const values = { ...scope.values, numbers: listOfValues(conceptNumbers) };
  const rows = await matchingConcepts(tx, values, scope);
  return new Set(rows.map(([id]) => id));
}

const matchingConcepts = rowQuery<[id: number], RecallScope>(
  (scope) =>
    sql`select concepts.id from concepts where concepts.id in (${valuesNamed("numbers")}) and ${conceptMatchesItself(scope)}`,
);

type FactColumns = [id: number, episode: number, concept: number];

async function newestFacts(tx: Tx, scope: RecallScope, concept: number): Promise<SeedFact[]> {
  return toFacts(await factsInScope(tx, { ...scope.values, concept }, scope));
}

async function newestVisibleFacts(
  tx: Tx,
  scope: RecallScope,
  concept: number,
): Promise<SeedFact[]> {
  return toFacts(await visibleFacts(tx, { ...scope.values, concept }, scope));
}

const factsInScope = rowQuery<FactColumns, RecallScope>((scope) =>
  newestOfCluster(scope, episodeInScope(scope)),
);

const visibleFacts = rowQuery<FactColumns, RecallScope>((scope) =>
  newestOfCluster(scope, episodeIsVisible(scope)),
);

/** The newest facts of a concept that hold. */
function newestOfCluster(scope: RecallScope, condition: SQL): SQL {
  return sql`select facts.id, facts.episode_id, facts.cluster_id from facts
    inner join episodes on episodes.id = facts.episode_id
    where facts.cluster_id = ${sql.placeholder("concept")} and ${factHolds(scope)} and ${condition}
    order by facts.id desc limit ${sql.raw(String(FACTS_OF_A_CLUSTER))}`;
}

function toFacts(rows: readonly FactColumns[]): SeedFact[] {
  return rows.map(([id, episode, concept]) => ({ id, episode, concept }));
}

/** Ids of what led to each concept that the query itself does not match. */
async function loadVias(
  tx: Tx,
  ranked: readonly Ranked<ActivatedConcept>[],
  search: ResultSearch,
): Promise<Map<number, string>> {
  const parents = ranked.flatMap(({ item: { path } }) =>
    path?.from.kind === "concept" ? [path.from.number] : [],
  );
  const rows = parents.length === 0 ? [] : await publicIdsOf(tx, parents);
  const publicIds = new Map(rows.map((row) => [row.id, row.publicId]));
  const entity = await soleEntity(tx, search.entities);
  const vias = ranked.flatMap(({ number, item }): [number, string][] => {
    const { path } = item;
    if (path === undefined) {
      return sourceOf(item) === "entity" && entity !== undefined ? [[number, entity]] : [];
    }
    if (path.from.kind === "episode") return [[number, episodeId(path.from.number)]];
    const parent = publicIds.get(path.from.number);
    return parent === undefined ? [] : [[number, parent]];
  });
  return new Map(vias);
}

function publicIdsOf(tx: Tx, numbers: readonly number[]) {
  return tx
    .select({ id: concepts.id, publicId: concepts.publicId })
    .from(concepts)
    .where(sql`${concepts.id} in (${valueSet(numbers)})`);
}

/** The id of the entity that is asked for, when it is one. */
async function soleEntity(tx: Tx, numbers: readonly number[]): Promise<string | undefined> {
  const [number, ...more] = numbers;
  if (number === undefined || more.length > 0) return undefined;
  const [row] = await tx.select().from(entities).where(eq(entities.id, number));
  return row === undefined ? undefined : entityId(row);
}

/** Open conflicts in which a shown fact takes part, those younger than the scope left out. */
export async function loadOpenConflicts(
  tx: Tx,
  { asOf }: RecallScope,
  factIds: readonly string[],
): Promise<ConflictRecord[]> {
  const numbers = factIds.map((id) => parseNumberedId(id, "fact", "id"));
  const found = await openConflictsOfFacts(tx, [...new Set(numbers)]);
  return asOf === undefined ? found : found.filter(({ created_at: at }) => at <= asOf);
}
