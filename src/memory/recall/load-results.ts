import { and, desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { groupBy, indexBy } from "../../kernel/group-by.ts";
import { loadConcepts } from "../concepts/concept.queries.ts";
import { FACT_CLUSTER } from "../concepts/concept.schema.ts";
import { concepts } from "../concepts/concept.table.ts";
import { openConflictsOfFacts } from "../conflicts/conflict.queries.ts";
import type { ConflictRecord } from "../conflicts/conflict.schema.ts";
import { entityId } from "../entities/entity.queries.ts";
import { entities } from "../entities/entity.table.ts";
import { loadEpisodes } from "../episodes/episode.queries.ts";
import { episodes } from "../episodes/episode.table.ts";
import { loadFacts } from "../facts/fact.queries.ts";
import type { FactRecord } from "../facts/fact.schema.ts";
import { facts } from "../facts/fact.table.ts";
import { episodeId, factId, parseNumberedId } from "../input/item-ids.ts";
import { valueSet } from "../search/value-set.ts";
import { type Activation, explainActivation } from "./activation.ts";
import type { Ranked } from "./rank.ts";
import type { RecalledConcept, RecalledEpisode } from "./recall.schema.ts";
import {
  conceptMatchesItself,
  episodeInScope,
  episodeIsVisible,
  factHolds,
  type RecallScope,
} from "./recall-scope.ts";
import { type Seeds, strengthOf } from "./seed.ts";
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
  { explain }: ResultSearch,
): Promise<RecalledEpisode[]> {
  const records = indexBy(
    await loadEpisodes(
      tx,
      ranked.map(({ number }) => number),
    ),
    (record) => record.id,
  );
  return ranked.flatMap(({ number, score, item }) => {
    const record = records.get(episodeId(number));
    if (record === undefined) return [];
    const { id, content, episode_type, created_at, occurred_at, asserted_by, source_ref } = record;
    const { entities: about, labels, fact_id } = record;
    return {
      ...{ id, content, episode_type, score, created_at, occurred_at, asserted_by, source_ref },
      ...{ entities: about, labels, fact_id },
      ...(explain && { explain: explainActivation(item) }),
    };
  });
}

export async function loadRecalledConcepts(
  tx: Tx,
  ranked: readonly Ranked<ActivatedConcept>[],
  search: ResultSearch,
): Promise<RecalledConcept[]> {
  if (ranked.length === 0) return [];
  const numbers = ranked.map(({ number }) => number);
  const records = await loadConcepts(tx, numbers);
  const clusterFacts = await loadHoldingFacts(tx, numbers, search);
  const vias = await loadVias(tx, ranked, search);
  return ranked.flatMap((entry, index) => {
    const record = records[index];
    if (record === undefined) return [];
    const { number, score, item } = entry;
    const shown = clusterFacts.get(number) ?? [];
    const via = vias.get(number);
    return {
      id: record.id,
      title: record.title,
      summary: record.summary,
      type: record.type,
      confidence: record.confidence,
      score,
      source: sourceOf(item),
      hops: item.path?.hops ?? 0,
      ...(via !== undefined && { via }),
      ...((shown.length > 0 || record.type === FACT_CLUSTER) && { facts: shown }),
      labels: record.labels,
      created_at: record.created_at,
      ...(search.explain && { explain: explainActivation(item.parts) }),
    };
  });
}

function sourceOf({ parts, path }: ActivatedConcept): RecalledConcept["source"] {
  if (path !== undefined) return "spread";
  return parts.text + parts.vector > 0 ? "direct" : "entity";
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
  const itself = await tx
    .select({ id: concepts.id })
    .from(concepts)
    .where(and(sql`${concepts.id} in (${valueSet(conceptNumbers)})`, conceptMatchesItself(scope)));
  const whole = new Set(itself.map((row) => row.id));
  const strength = ({ episode }: FactRow) => {
    const seed = seeds.episodes.get(episode);
    return seed === undefined ? 0 : strengthOf(seed);
  };
  const chosen = new Map<number, FactRow[]>();
  const matching = groupBy(await matchingFacts(tx, scope, seeds), ({ concept }) => concept);
  for (const concept of conceptNumbers) {
    const within = { concept, condition: episodeInScope(scope) };
    const inScope = whole.has(concept) ? [] : await newestFacts(tx, scope, within);
    // A concept that only the graph led to lies outside of the scope, with all its facts.
    const anyScope = { concept, condition: episodeIsVisible(scope) };
    const newest = inScope.length > 0 ? inScope : await newestFacts(tx, scope, anyScope);
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

interface FactRow {
  readonly id: number;
  readonly episode: number;
  readonly concept: number;
}

/** The newest facts of a concept that hold. */
function newestFacts(
  tx: Tx,
  scope: RecallScope,
  { concept, condition }: { concept: number; condition: SQL | undefined },
): Promise<FactRow[]> {
  return tx
    .select({ id: facts.id, episode: facts.episodeId, concept: facts.clusterId })
    .from(facts)
    .innerJoin(episodes, eq(episodes.id, facts.episodeId))
    .where(and(eq(facts.clusterId, concept), factHolds(scope), condition))
    .orderBy(desc(facts.id))
    .limit(FACTS_OF_A_CLUSTER);
}

/** Facts that the query matches; seeds are visible and in the scope. */
function matchingFacts(tx: Tx, scope: RecallScope, seeds: Seeds): Promise<FactRow[]> {
  return tx
    .select({ id: facts.id, episode: facts.episodeId, concept: facts.clusterId })
    .from(facts)
    .where(and(sql`${facts.episodeId} in (${valueSet(seeds.episodes.keys())})`, factHolds(scope)));
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
  const rows = await tx
    .select({ id: concepts.id, publicId: concepts.publicId })
    .from(concepts)
    .where(inArray(concepts.id, parents));
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
