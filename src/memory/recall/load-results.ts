import { eq, sql } from "drizzle-orm";
import {
  listOfValues,
  numberSet,
  numbersParameter,
  preparedQuery,
  type QueryShape,
  rowQuery,
  type Tx,
} from "../../database/index.ts";
import { settleAll } from "../../shared/async.ts";
import { indexBy } from "../../shared/collections.ts";
import { FACT_CLUSTER } from "../concepts/concept.schema.ts";
import { concepts } from "../concepts/concept.table.ts";
import { loadConflicts, loadOpenConflictsOfFacts } from "../conflicts/conflict.queries.ts";
import type { ConflictRecord } from "../conflicts/conflict.schema.ts";
import { entityId } from "../entities/entity.queries.ts";
import { entities } from "../entities/entity.table.ts";
import { episodes } from "../episodes/episode.table.ts";
import { facts } from "../facts/fact.table.ts";
import { toFactRecord } from "../facts/fact-record.ts";
import { loadConflictsOfFacts } from "../facts/fact-timeline.queries.ts";
import { episodeId, factId } from "../input/item-ids.ts";
import type { LabelRecord } from "../labels/label.schema.ts";
import { type ActiveFact, factIsDisputed, loadActiveFacts } from "./active-facts.ts";
import {
  type Activation,
  type Arrivals,
  explainActivation,
  listContributions,
  type Ranked,
} from "./rank.ts";
import type { Explanation, RecalledConcept, RecalledEpisode } from "./recall.schema.ts";
import type { RecallScope } from "./recall-scope.ts";
import { type Seeds, seedStrength } from "./seed.ts";
import type { ActivatedConcept } from "./spread-activation.ts";

interface ItemDetails {
  /** Entity ids of an episode, in written order. */
  readonly entities: ReadonlyMap<number, string[]>;
  /** Sorted by key and value. */
  readonly labels: Readonly<Record<"episode" | "concept", ReadonlyMap<number, LabelRecord[]>>>;
}

/** Loads entities and labels in one statement. */
async function loadDetails(
  tx: Tx,
  items: { episodes: readonly number[]; concepts: readonly number[] },
): Promise<ItemDetails> {
  const entities = new Map<number, string[]>();
  const labels = { episode: new Map<number, LabelRecord[]>(), concept: new Map() };
  if (items.episodes.length + items.concepts.length === 0) return { entities, labels };
  const rows = await details(tx, {
    episodes: listOfValues(new Set(items.episodes)),
    concepts: listOfValues(items.concepts),
  });
  for (const [what, number, first, second] of rows) {
    if (what === "entity") push(entities, number, entityId({ type: first, name: second }));
    else push<LabelRecord>(labels[what], number, { key: first, value: second });
  }
  return { entities, labels };
}

function push<Value>(lists: Map<number, Value[]>, number: number, value: Value): void {
  const known = lists.get(number);
  if (known === undefined) lists.set(number, [value]);
  else known.push(value);
}

const details = rowQuery<
  [what: "entity" | "episode" | "concept", number: number, first: string, second: string]
>(
  () => sql`select what, number, first, second from (
      select 'entity' as what, episode_entities.episode_id as number, entities.type as first,
        entities.name as second, position
      from episode_entities inner join entities on entities.id = episode_entities.entity_id
      where episode_entities.episode_id in (${numbersParameter("episodes")})
      union all
      select 'episode', episode_id, key, value, 0 from episode_labels
      where episode_id in (${numbersParameter("episodes")})
      union all
      select 'concept', concept_id, key, value, 0 from concept_labels
      where concept_id in (${numbersParameter("concepts")})
    ) order by what, number, position, first, second`,
);

export interface ResultSearch {
  readonly scope: RecallScope;
  readonly seeds: Seeds;
  readonly entities: readonly number[];
  scoreOfEpisode(number: number): number;
  readonly minScore: number;
  readonly arrivals: Arrivals | undefined;
}

/** Loads the records of ranked items with one query per table. */
export async function loadRecalled(
  tx: Tx,
  ranked: {
    concepts: readonly Ranked<ActivatedConcept>[];
    episodes: readonly Ranked<Activation>[];
  },
  search: ResultSearch,
): Promise<RecalledItems> {
  const concepts = ranked.concepts.map(({ number }) => number);
  const episodes = ranked.episodes.map(({ number }) => number);
  const rows = loadEpisodeRows(tx, search.scope, episodes);
  const holding = loadActiveFacts(tx, concepts, search);
  const details = loadDetails(tx, { concepts, episodes });
  const [recalled, remembered, conflicts] = await settleAll(
    createRecalledConcepts(tx, ranked.concepts, { ...search, details, factsByConcept: holding }),
    createRecalledEpisodes(tx, ranked.episodes, { ...search, details, rows }),
    loadConflictsOfShown(tx, search.scope, { rows, factsByConcept: holding }),
  );
  return { concepts: recalled, episodes: remembered, conflicts };
}

async function loadConflictsOfShown(
  tx: Tx,
  scope: RecallScope,
  loading: {
    readonly rows: ReturnType<typeof loadEpisodeRows>;
    readonly factsByConcept: ReturnType<typeof loadActiveFacts>;
  },
): Promise<ConflictRecord[]> {
  const [rows, holding] = await settleAll(loading.rows, loading.factsByConcept);
  return loadOpenConflicts(tx, scope, [
    ...[...holding.values()].flat().flatMap(({ id, isDisputed }) => (isDisputed ? id : [])),
    ...rows.flatMap(({ fact, isDisputed }) => (isDisputed ? (fact ?? []) : [])),
  ]);
}

export interface RecalledItems {
  readonly concepts: readonly RecalledConcept[];
  readonly episodes: readonly RecalledEpisode[];
  readonly conflicts: readonly ConflictRecord[];
}

async function createRecalledEpisodes(
  tx: Tx,
  ranked: readonly Ranked<Activation>[],
  search: ResultSearch & {
    readonly details: Promise<ItemDetails>;
    readonly rows: ReturnType<typeof loadEpisodeRows>;
  },
): Promise<RecalledEpisode[]> {
  const items = ranked.map(({ item }) => item);
  const [rows, explain, details] = await settleAll(
    search.rows,
    createExplainer(tx, items, search),
    search.details,
  );
  const records = indexBy(rows, (row) => row.id);
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
      entities: details.entities.get(number) ?? [],
      labels: details.labels.episode.get(number) ?? [],
      fact_id: record.fact === null ? null : factId(record.fact),
      ...explain(item),
    };
  });
}

async function loadEpisodeRows(tx: Tx, { knownAt }: RecallScope, numbers: readonly number[]) {
  if (numbers.length === 0) return [];
  const shape = { shape: `known at a time: ${knownAt !== undefined}`, knownAt };
  return await episodesByNumber(tx, shape).execute({ numbers: listOfValues(numbers) });
}

const episodesByNumber = preparedQuery((tx, scope: QueryShape & Pick<RecallScope, "knownAt">) =>
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
      isDisputed: sql<number | boolean>`${factIsDisputed(scope)}`,
    })
    .from(episodes)
    .leftJoin(facts, eq(facts.episodeId, episodes.id))
    .where(sql`${episodes.id} in (${numbersParameter("numbers")})`)
    .prepare(),
);

async function createRecalledConcepts(
  tx: Tx,
  ranked: readonly Ranked<ActivatedConcept>[],
  search: ResultSearch & {
    readonly details: Promise<ItemDetails>;
    readonly factsByConcept: ReturnType<typeof loadActiveFacts>;
  },
): Promise<RecalledConcept[]> {
  if (ranked.length === 0) return [];
  const numbers = ranked.map(({ number }) => number);
  const values = { numbers: listOfValues(numbers) };
  const parts = ranked.map(({ item }) => item.parts);
  const [rows, vias, explain, details, stored] = await settleAll(
    Promise.resolve(conceptsByNumber(tx).execute(values)),
    loadVias(tx, ranked, search),
    createExplainer(tx, parts, search),
    search.details,
    search.factsByConcept,
  );
  const records = indexBy(rows, (row) => row.id);
  return ranked.flatMap(({ number, score, item }) => {
    const record = records.get(number);
    if (record === undefined) return [];
    const matchingFacts = selectMatchingFacts(stored.get(number) ?? [], search).map((fact) =>
      toFactRecord(fact, {
        cluster: record.publicId,
        episode: fact.episode,
        entities: fact.entities,
      }),
    );
    const via = vias.get(number);
    return {
      id: record.publicId,
      title: record.title,
      summary: record.summary,
      type: record.type,
      confidence: record.confidence,
      score,
      source: classifySource(item),
      hops: item.path?.hops ?? 0,
      ...(via !== undefined && { via }),
      ...((matchingFacts.length > 0 || record.type === FACT_CLUSTER) && { facts: matchingFacts }),
      ...(matchingFacts.length > 0 &&
        record.instanceCount > matchingFacts.length && { fact_count: record.instanceCount }),
      labels: details.labels.concept.get(number) ?? [],
      created_at: record.createdAt,
      ...explain(item.parts),
    };
  });
}

/** Returns a cluster's matching and disputed facts, or the best one if there are none. */
function selectMatchingFacts(
  facts: readonly ActiveFact[],
  { scoreOfEpisode, minScore }: Pick<ResultSearch, "scoreOfEpisode" | "minScore">,
): readonly ActiveFact[] {
  const matching = facts.filter(
    ({ episode, isDisputed }) => isDisputed || scoreOfEpisode(episode) >= minScore,
  );
  return matching.length > 0 ? matching : facts.slice(0, 1);
}

export async function createExplainer(
  tx: Tx,
  explained: readonly Activation[],
  { arrivals, entities: requests }: Pick<ResultSearch, "arrivals" | "entities">,
): Promise<(parts: Activation) => { explain?: Explanation }> {
  if (arrivals === undefined) return () => ({});
  const lenders = explained.flatMap((parts) => arrivals.of(parts).map(({ from }) => from));
  const numbers = lenders.filter(({ kind }) => kind === "concept").map(({ number }) => number);
  const rows = numbers.length === 0 ? [] : await loadPublicIds(tx, numbers);
  const publicIds = new Map(rows.map((row) => [row.id, row.publicId]));
  const entity = await findSoleEntity(tx, requests);
  return (parts) => ({
    explain: {
      ...explainActivation(parts),
      contributions: listContributions(parts, arrivals.of(parts), ({ kind, number, layer }) => {
        if (kind === "concept") return publicIds.get(number);
        return layer === undefined ? episodeId(number) : `${layer}/${episodeId(number)}`;
      }).map((one) =>
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
    .where(sql`${concepts.id} in (${numbersParameter("numbers")})`)
    .prepare(),
);

function classifySource({ parts, path }: ActivatedConcept): RecalledConcept["source"] {
  if (path !== undefined) return "spread";
  return seedStrength(parts) > 0 ? "direct" : "entity";
}

/** Returns the id of the item that led to each concept that does not match itself. */
async function loadVias(
  tx: Tx,
  ranked: readonly Ranked<ActivatedConcept>[],
  search: ResultSearch,
): Promise<Map<number, string>> {
  const parents = ranked.flatMap(({ item: { path } }) =>
    path?.from.kind === "concept" ? [path.from.number] : [],
  );
  const [rows, entity] = await settleAll(
    parents.length === 0 ? Promise.resolve([]) : loadPublicIds(tx, parents),
    findSoleEntity(tx, search.entities),
  );
  const publicIds = new Map(rows.map((row) => [row.id, row.publicId]));
  const vias = ranked.flatMap(({ number, item }): [number, string][] => {
    const { path } = item;
    if (path === undefined) {
      return classifySource(item) === "entity" && entity !== undefined ? [[number, entity]] : [];
    }
    if (path.from.kind === "episode") return [[number, episodeId(path.from.number)]];
    const parent = publicIds.get(path.from.number);
    return parent === undefined ? [] : [[number, parent]];
  });
  return new Map(vias);
}

async function loadPublicIds(tx: Tx, numbers: readonly number[]) {
  return await tx
    .select({ id: concepts.id, publicId: concepts.publicId })
    .from(concepts)
    .where(sql`${concepts.id} in (${numberSet(numbers)})`);
}

async function findSoleEntity(tx: Tx, numbers: readonly number[]): Promise<string | undefined> {
  const [number, ...more] = numbers;
  if (number === undefined || more.length > 0) return undefined;
  const [row] = await tx.select().from(entities).where(eq(entities.id, number));
  return row === undefined ? undefined : entityId(row);
}

/** Loads conflicts of the returned facts that were open at the recall's point in time. */
async function loadOpenConflicts(
  tx: Tx,
  { asOf, knownAt }: RecallScope,
  numbers: readonly number[],
): Promise<ConflictRecord[]> {
  const message = knownAt ?? asOf;
  const found =
    knownAt === undefined
      ? await loadOpenConflictsOfFacts(tx, [...new Set(numbers)])
      : (await loadConflicts(tx, await loadConflictsOfFacts(tx, numbers))).filter(
          ({ resolved_at: at }) => at === null || at > knownAt,
        );
  return message === undefined ? found : found.filter(({ created_at: at }) => at <= message);
}
