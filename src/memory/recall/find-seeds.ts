import { sql } from "drizzle-orm";
import { listOfValues, rowQuery, type Tx, valuesNamed } from "../../database/index.ts";
import type { IndexedKind } from "../context/indexed-kind.ts";
import type { Visibility } from "../search/visibility.ts";
import { asksInstead, loadConceptsInScope, loadConceptsOf } from "./load-graph.ts";
import type { PreparedRecall } from "./prepare-recall.ts";
import {
  conceptInScope,
  conceptsThatMayMatch,
  episodeInScope,
  episodesInScope,
  factHolds,
  isNarrow,
  type RecallScope,
} from "./recall-scope.ts";
import { searchKind } from "./search-kind.ts";
import { type Seed, type SeedFact, type Seeds, strengthOf } from "./seed.ts";

/** The newest episodes of each entity that is asked for are candidates whatever they say. */
const EPISODES_OF_AN_ENTITY = 50;
/** So many items of a scope are compared one by one; more are searched through the indexes. */
const FEW = 2000;

export interface SeedSearch {
  readonly prepared: PreparedRecall;
  readonly scope: RecallScope;
  /** Numbers of the entities that are asked for. */
  readonly entities: readonly number[];
  isLate(): boolean;
}

/** Episodes and concepts that the query matches by text, vector or entity, within the scope. */
export async function findSeeds(tx: Tx, search: SeedSearch): Promise<Seeds> {
  const { scope } = search;
  const among = isNarrow(scope) ? await fewEpisodes(tx, scope) : undefined;
  const mentioning = await episodesOfEntities(tx, search);
  const found = await findEpisodes(tx, search, { among, mentioning });
  const edges = await loadConceptsOf(tx, scope, mentioning);
  const about = new Set(edges.map(({ concept }) => concept));
  const concepts = await findConcepts(tx, search, { among, about, clusters: found.clusters });
  return { ...found, concepts, complete: !search.isLate() };
}

interface FoundEpisodes {
  readonly episodes: Map<number, Seed>;
  /** For each cluster the best text and vector match of its facts. */
  readonly clusters: Map<number, Seed>;
  readonly facts: SeedFact[];
}

async function findEpisodes(
  tx: Tx,
  search: SeedSearch,
  from: { among: readonly number[] | undefined; mentioning: readonly number[] },
): Promise<FoundEpisodes> {
  const { scope } = search;
  const found = await searchKind(tx, {
    kind: "episode",
    prepared: search.prepared,
    among: from.among,
    visible: visibleInScope(scope, "episode"),
    further: from.mentioning,
    isLate: search.isLate,
  });
  const details = await describeEpisodes(tx, search, [...found.keys()]);
  const episodes = new Map<number, Seed>();
  const clusters = new Map<number, Seed>();
  const facts: SeedFact[] = [];
  for (const { number, session, mentions, asks, fact } of details) {
    const match = found.get(number);
    if (match === undefined) continue;
    const seed: Seed = { number, ...match, entity: mentions ? 1 : 0, session, asks };
    episodes.set(number, seed);
    if (fact === undefined) continue;
    facts.push(fact);
    const known = clusters.get(fact.concept);
    if (strengthOf(seed) > (known === undefined ? 0 : strengthOf(known))) {
      clusters.set(fact.concept, seed);
    }
  }
  return { episodes, clusters, facts };
}

async function findConcepts(
  tx: Tx,
  search: SeedSearch,
  from: {
    among: readonly number[] | undefined;
    about: ReadonlySet<number>;
    clusters: ReadonlyMap<number, Seed>;
  },
): Promise<Map<number, Seed>> {
  const { scope } = search;
  const reached = [...from.about, ...from.clusters.keys()];
  const found = await searchKind(tx, {
    kind: "concept",
    prepared: search.prepared,
    among: from.among === undefined ? undefined : await fewConcepts(tx, scope, from.among),
    visible: visibleInScope(scope, "concept"),
    further: [...(await loadConceptsInScope(tx, scope, reached))],
    isLate: search.isLate,
  });
  return new Map(
    Array.from(found, ([number, match]) => [
      number,
      { number, ...match, entity: from.about.has(number) ? 1 : 0, session: null, asks: false },
    ]),
  );
}

function visibleInScope(scope: RecallScope, kind: IndexedKind): Visibility {
  const condition = kind === "episode" ? episodeInScope(scope) : conceptInScope(scope);
  return { shape: scope.shape, values: scope.values, condition, isPart: isNarrow(scope) };
}

async function episodesOfEntities(tx: Tx, { entities, scope }: SeedSearch): Promise<number[]> {
  const numbers = new Set<number>();
  for (const mentioned of entities) {
    const rows = await newestMentions(tx, { ...scope.values, mentioned }, scope);
    for (const [number] of rows) numbers.add(number);
  }
  return [...numbers];
}

const newestMentions = rowQuery<[number: number], RecallScope>(
  (scope) =>
    sql`select mention.episode_id from episode_entities mention
    cross join episodes on episodes.id = mention.episode_id
    where mention.entity_id = ${sql.placeholder("mentioned")} and ${episodeInScope(scope)}
    order by mention.episode_id desc limit ${sql.raw(String(EPISODES_OF_AN_ENTITY))}`,
);

interface EpisodeDetails {
  readonly number: number;
  readonly session: string | null;
  /** Whether it mentions an entity that is asked for. */
  readonly mentions: boolean;
  /** Whether it ends in a question mark. */
  readonly asks: boolean;
  /** What it claims, if it is a fact that holds. */
  readonly fact: SeedFact | undefined;
}

/** What else counts of these episodes, the oldest fact first. */
async function describeEpisodes(
  tx: Tx,
  { scope, entities }: SeedSearch,
  numbers: readonly number[],
): Promise<EpisodeDetails[]> {
  if (numbers.length === 0) return [];
  const values = {
    ...scope.values,
    numbers: listOfValues(numbers),
    entities: listOfValues(entities),
  };
  const rows = await episodeDetails(tx, values, scope);
  return rows.map(([number, session, mentions, asks, id, concept]) => ({
    number,
    session,
    mentions: mentions === 1,
    asks: asks === 1,
    fact: id === null || concept === null ? undefined : { id, concept, episode: number },
  }));
}

const episodeDetails = rowQuery<
  [
    number: number,
    session: string | null,
    mentions: number,
    asks: number,
    fact: number | null,
    cluster: number | null,
  ],
  RecallScope
>(
  (scope) =>
    sql`select episodes.id, episodes.session,
      exists (select 1 from episode_entities where episode_entities.episode_id = episodes.id
        and episode_entities.entity_id in (${valuesNamed("entities")})),
      ${asksInstead},
      facts.id as fact, facts.cluster_id
    from episodes left join facts on facts.episode_id = episodes.id and ${factHolds(scope)}
    where episodes.id in (${valuesNamed("numbers")}) order by facts.id`,
);

/** The episodes in scope, when they are few enough to be compared one by one. */
async function fewEpisodes(tx: Tx, scope: RecallScope): Promise<number[] | undefined> {
  const rows = await scopeNumbers(tx, scope.values, scope);
  return rows.length > FEW ? undefined : rows.map(([number]) => number);
}

const scopeNumbers = rowQuery<[number: number], RecallScope>(
  (scope) => sql`${episodesInScope(scope)} limit ${sql.raw(String(FEW + 1))}`,
);

/** The concepts in scope, where few episodes are; undefined when they are not few themselves. */
async function fewConcepts(
  tx: Tx,
  scope: RecallScope,
  among: readonly number[],
): Promise<number[] | undefined> {
  const values = { ...scope.values, among: listOfValues(among) };
  const rows = await scopeConcepts(tx, values, scope);
  return rows.length > FEW ? undefined : rows.map(([number]) => number);
}

const scopeConcepts = rowQuery<[number: number], RecallScope>(
  (scope) =>
    sql`select concepts.id from concepts where concepts.id in (${conceptsThatMayMatch(scope)})
    and ${conceptInScope(scope)} limit ${sql.raw(String(FEW + 1))}`,
);
