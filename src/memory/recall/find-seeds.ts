import { sql } from "drizzle-orm";
import { listOfValues, rowQuery, type Tx } from "../../database/index.ts";
import { together } from "../../kernel/together.ts";
import { MEMORY_KINDS } from "../context/indexed-kind.ts";
import { usingPart } from "../search/derived-damage.ts";
import { vectorIndexOf } from "../search/vector-index.ts";
import type { ToldTime } from "./dates/told-time.ts";
import { type Among, type FoundTexts, findTexts } from "./find-texts.ts";
import {
  type CandidateQuery,
  loadConceptCandidates,
  loadEpisodeCandidates,
  type Measures,
} from "./load-candidates.ts";
import { loadConceptsOf } from "./load-graph.ts";
import { type NewestAskedFor, newestAskedFor } from "./newest-asked-for.ts";
import {
  conceptInScope,
  conceptsThatMayMatch,
  episodesInScope,
  isNarrow,
  type RecallScope,
  untimed,
} from "./recall-scope.ts";
import { searchKind } from "./search-kind.ts";
import { type Seed, type SeedFact, type Seeds, strengthOf } from "./seed.ts";
import type { SeedSearch } from "./seed-search.ts";
import { unlessLate } from "./unless-late.ts";

/**
 * A scope with up to so many items is compared one by one; larger scopes are searched through the indexes.
 */
const FEW = 2000;
/** How many text matches are kept when time is up. */
const CANDIDATES_WHEN_LATE = 40;

const NOT_FEW: Among = { episode: undefined, concept: undefined };
const NONE_NEAR: Material["near"] = { episode: [], concept: [] };
const NO_NEWEST: NewestAskedFor = { ofEntities: [], ofTime: [], standing: [] };
const UNMEASURED: Measures = { vectors: false, tokens: false };

/** What the search for both kinds needs. */
interface Material extends SeedSearch {
  readonly texts: FoundTexts;
  readonly near: Readonly<Record<"episode" | "concept", readonly number[]>>;
  readonly measures: Measures;
}

/** Finds the episodes and concepts within the scope that the query matches by text, vector or entity. */
export async function findSeeds(tx: Tx, search: SeedSearch): Promise<Seeds> {
  const { scope } = search;
  const among = await unlessLate(search, () => fewItems(tx, scope), NOT_FEW);
  const { vector } = search.prepared;
  const nearest = async () =>
    vector === undefined
      ? NONE_NEAR
      : unlessLate(search, () => findNear(tx, search, among), NONE_NEAR);
  const [{ newest, edges }, texts, near] = await together(
    findNewest(tx, search),
    findTexts(tx, search, among),
    nearest(),
  );
  const measures = {
    vectors: vector !== undefined && !search.isLate(),
    tokens: vector?.tokens !== undefined && !search.isLate(),
  };
  const material: Material = { ...search, texts, near, measures };
  const found = await findEpisodes(tx, material, newest);
  const about = new Set(edges.map(({ concept }) => concept));
  const concepts = await findConcepts(tx, material, { about, clusters: found.clusters });
  return { ...found, concepts };
}

/** The newest episodes that the query asks for, and the concepts supported by the episodes of entities. */
async function findNewest(tx: Tx, search: SeedSearch) {
  const named = () => newestAskedFor(tx, search);
  // Standing instructions are found through the index of words.
  const read = search.prepared.words.length > 0 ? () => usingPart("text index", named) : named;
  const newest = await unlessLate(search, read, NO_NEWEST);
  const { scope } = search;
  const edges = await unlessLate(search, () => loadConceptsOf(tx, scope, newest.ofEntities), []);
  return { newest, edges };
}

/** Items that may be near in meaning: all of a scope with few items, else the nearest ones. */
async function findNear(
  tx: Tx,
  { prepared: { vector }, scope }: SeedSearch,
  { episode, concept }: Among,
): Promise<Material["near"]> {
  const wanted = vector?.direction ?? new Float32Array();
  if (episode !== undefined && concept !== undefined) return { episode, concept };
  const near = await usingPart("vectors", () =>
    vectorIndexOf(tx).nearest(tx, {
      vector: wanted,
      ofAPart: isNarrow(scope),
      isTimed: scope.isTimed,
      kinds: MEMORY_KINDS,
    }),
  );
  return { episode: episode ?? near.episode, concept: concept ?? near.concept };
}

async function findEpisodes(
  tx: Tx,
  search: Material,
  { ofEntities, ofTime, standing }: NewestAskedFor,
): Promise<Omit<Seeds, "concepts">> {
  const { texts, near, entities, prepared } = search;
  const further = [...ofEntities, ...ofTime, ...standing];
  const demanding = new Set(standing);
  const numbers = [...texts.episode.keys(), ...near.episode, ...further];
  const candidates = await measured(search, numbers, (query) =>
    loadEpisodeCandidates(tx, query, {
      entities,
      aside: search.aside,
      isDated: prepared.time !== undefined,
      isAboutOneself: prepared.isAboutOneself,
    }),
  );
  const found = searchKind(candidates, { ...search, texts: texts.episode, further });
  const episodes = new Map<number, Seed>();
  const vectors = new Map<number, Int8Array>();
  const told = new Map<number, ToldTime>();
  const answers = new Set<number>();
  const claims: { seed: Seed; fact: SeedFact }[] = [];
  for (const [number, match] of found) {
    const candidate = candidates.get(number);
    if (candidate === undefined) continue;
    const { session, mentions, asks, fact, vector } = candidate;
    if (candidate.told !== undefined) told.set(number, candidate.told);
    if (candidate.isAnswer) answers.add(number);
    const isStanding = demanding.has(number);
    const seed: Seed = { number, ...match, entity: mentions, session, asks, isStanding };
    episodes.set(number, seed);
    if (vector !== undefined) vectors.set(number, vector);
    if (fact !== undefined) claims.push({ seed, fact });
  }
  claims.sort((a, b) => a.fact.id - b.fact.id);
  return {
    episodes,
    vectors,
    told,
    answers,
    clusters: clustersOf(claims),
    facts: claims.map(({ fact }) => fact),
  };
}

/** For each cluster the best text and vector match of its facts; of equals the oldest. */
function clustersOf(claims: readonly { seed: Seed; fact: SeedFact }[]): Map<number, Seed> {
  const clusters = new Map<number, Seed>();
  for (const { seed, fact } of claims) {
    const known = clusters.get(fact.concept);
    if (strengthOf(seed) > (known === undefined ? 0 : strengthOf(known))) {
      clusters.set(fact.concept, seed);
    }
  }
  return clusters;
}

async function findConcepts(
  tx: Tx,
  search: Material,
  { about, clusters }: { about: ReadonlySet<number>; clusters: ReadonlyMap<number, Seed> },
): Promise<Map<number, Seed>> {
  const { texts, near } = search;
  const reached = [...about, ...clusters.keys()];
  const numbers = [...texts.concept.keys(), ...near.concept, ...reached];
  const candidates = await measured(search, numbers, (query) => loadConceptCandidates(tx, query));
  const found = searchKind(candidates, { ...search, texts: texts.concept, further: reached });
  return new Map(
    Array.from(found, ([number, match]) => [
      number,
      {
        number,
        ...match,
        entity: about.has(number) ? 1 : 0,
        session: null,
        asks: false,
        isStanding: false,
      },
    ]),
  );
}

/**
 * Candidates with their measures, best first. If time is up, a few are read without measures, which is quick;
 * otherwise nothing of what was found could be returned.
 */
async function measured<T>(
  search: Material,
  numbers: readonly number[],
  load: (query: CandidateQuery) => Promise<T>,
): Promise<T> {
  const { scope, measures } = search;
  const query = { scope, numbers, measures };
  // Of all that candidates are read from, only the vectors may be damaged.
  const loadAll = () => (measures.vectors ? usingPart("vectors", () => load(query)) : load(query));
  const all = await unlessLate(search, loadAll, undefined);
  if (all !== undefined) return all;
  const best = numbers.slice(0, CANDIDATES_WHEN_LATE);
  return load({ scope: untimed(scope), numbers: best, measures: UNMEASURED });
}

/** The only items of a narrow scope, if they are few. */
async function fewItems(tx: Tx, scope: RecallScope): Promise<Among> {
  const episode = isNarrow(scope) ? await fewEpisodes(tx, scope) : undefined;
  if (episode === undefined) return NOT_FEW;
  return { episode, concept: await fewConcepts(tx, scope, episode) };
}

/** The episodes in scope, if they are few enough to compare one by one. */
async function fewEpisodes(tx: Tx, scope: RecallScope): Promise<number[] | undefined> {
  const rows = await scopeNumbers(tx, scope.values, scope);
  return rows.length > FEW ? undefined : rows.map(([number]) => number);
}

const scopeNumbers = rowQuery<[number: number], RecallScope>(
  (scope) => sql`${episodesInScope(scope)} limit ${sql.raw(String(FEW + 1))}`,
);

/** The concepts in scope, if it has few episodes; undefined if the concepts themselves are many. */
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
