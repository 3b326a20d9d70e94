import { sql } from "drizzle-orm";
import { hasRoundTrips, rowQuery, type Tx } from "../../database/index.ts";
import { settleAll } from "../../shared/async.ts";
import { MEMORY_KINDS, type MemoryKind } from "../context/indexed-kind.ts";
import { convertDamage } from "../search/derived-damage.ts";
import { getVectorIndex } from "../search/vector-index.ts";
import type { StatedTime } from "./dates/queried-time.ts";
import { withinDeadline } from "./limit-to-deadline.ts";
import {
  type Candidate,
  type CandidateQuery,
  loadConceptCandidates,
  loadEpisodeCandidates,
  type Measures,
} from "./load-candidates.ts";
import { loadEdgesOfEpisodes } from "./load-graph.ts";
import type { SeedSearch } from "./newest-candidates.ts";
import {
  type AllowedNumbers,
  type FoundTexts,
  findTexts,
  loadNewestCandidates,
  type NewestCandidates,
  type NewestWithEdges,
} from "./newest-candidates.ts";
import {
  conceptInScope,
  conceptsThatMayMatch,
  episodesInScope,
  isNarrow,
  type RecallScope,
  removeTimes,
} from "./recall-scope.ts";
import { searchKind } from "./search-kind.ts";
import { type Seed, type SeedFact, type Seeds, seedStrength } from "./seed.ts";

/** Smaller scopes are compared exhaustively; larger ones are searched through the indexes. */
const MAX_SMALL_SCOPE = 2000;
/** Text matches used if the time limit is reached. */
const MAX_CANDIDATES_WHEN_LATE = 40;

const UNRESTRICTED: AllowedNumbers = { episode: undefined, concept: undefined };
const NO_NEIGHBOURS: SeedInputs["near"] = { episode: [], concept: [] };
const NO_NEWEST: NewestWithEdges = {
  ofEntities: [],
  ofTime: [],
  standingInstructions: [],
  edges: [],
};
const NO_MEASURES: Measures = { vectors: false, tokens: false };

interface SeedInputs extends SeedSearch {
  readonly texts: FoundTexts;
  readonly near: Readonly<Record<"episode" | "concept", readonly number[]>>;
  readonly measures: Measures;
}

/** Finds episodes and concepts in scope that match the query by text, vector or entity. */
export async function findSeeds(tx: Tx, search: SeedSearch): Promise<Seeds> {
  const { vector } = search.prepared;
  const [{ texts, near }, { newest, edges }] = await settleAll(
    findMatches(tx, search),
    findNewest(tx, search),
  );
  const measures = {
    vectors: vector !== undefined && !search.isLate(),
    tokens: vector?.tokens !== undefined && !search.isLate(),
  };
  const material: SeedInputs = { ...search, texts, near, measures };
  const about = new Set(edges.map(({ concept }) => concept));
  const numbers = candidateEpisodes(material, newest);
  const ahead = hasRoundTrips(tx) ? prefetchConcepts(tx, material, { about, numbers }) : NO_WORK;
  const [found, known] = await settleAll(findEpisodes(tx, material, { newest, numbers }), ahead);
  const concepts = await findConcepts(tx, material, { about, clusters: found.clusters, known });
  return { ...found, concepts };
}

const NO_WORK: Promise<undefined> = Promise.resolve(undefined);

async function findMatches(
  tx: Tx,
  search: SeedSearch,
): Promise<Pick<SeedInputs, "texts" | "near">> {
  const among = withinDeadline(search, () => loadSmallScope(tx, search.scope), UNRESTRICTED);
  const nearest = async () => {
    const only = await among;
    if (search.prepared.vector === undefined) return NO_NEIGHBOURS;
    return withinDeadline(search, () => findNear(tx, search, only), NO_NEIGHBOURS);
  };
  const [near, texts] = await settleAll(nearest(), findTexts(tx, search, among));
  return { texts, near };
}

/** Finds the newest episodes about the query's entities and times, and concepts they support. */
async function findNewest(tx: Tx, search: SeedSearch) {
  const named = () => loadNewestCandidates(tx, search);
  // Standing instructions are found through the text index.
  const read = search.prepared.words.length > 0 ? () => convertDamage("text index", named) : named;
  const { edges, ...newest } = await withinDeadline(search, read, NO_NEWEST);
  const { scope } = search;
  const load = () => loadEdgesOfEpisodes(tx, scope, newest.ofEntities);
  return { newest, edges: edges ?? (await withinDeadline(search, load, [])) };
}

/** Finds vector candidates: all items of a small scope, else the nearest neighbors. */
async function findNear(
  tx: Tx,
  { prepared, scope }: SeedSearch,
  { episode, concept }: AllowedNumbers,
): Promise<SeedInputs["near"]> {
  const requested = prepared.vector?.direction ?? new Float32Array();
  if (episode !== undefined && concept !== undefined) return { episode, concept };
  const nearby = await convertDamage("vectors", () =>
    getVectorIndex(tx).nearest(tx, {
      vector: requested,
      ofAPart: isNarrow(scope),
      isTimed: scope.isTimed,
      kinds: MEMORY_KINDS,
      coverage: prepared.ahead?.vectors,
    }),
  );
  return { episode: episode ?? nearby.episode, concept: concept ?? nearby.concept };
}

const getFurther = ({ ofEntities, ofTime, standingInstructions }: NewestCandidates) => [
  ...ofEntities,
  ...ofTime,
  ...standingInstructions,
];

function candidateEpisodes(
  { texts, near }: SeedInputs,
  newest: NewestCandidates,
): readonly number[] {
  return [...texts.episode.keys(), ...near.episode, ...getFurther(newest)];
}

async function findEpisodes(
  tx: Tx,
  search: SeedInputs,
  { newest, numbers }: { newest: NewestCandidates; numbers: readonly number[] },
): Promise<Omit<Seeds, "concepts">> {
  const { texts, entities, prepared } = search;
  const further = getFurther(newest);
  const demanding = new Set(newest.standingInstructions);
  const candidates = await addMeasures(search, numbers, (query) =>
    loadEpisodeCandidates(tx, query, {
      entities,
      secondaryEntities: search.secondaryEntities,
      isDated: prepared.time !== undefined,
      isAboutOneself: prepared.isAboutOneself,
    }),
  );
  const found = searchKind(candidates, { ...search, texts: texts.episode, further });
  const episodes = new Map<number, Seed>();
  const vectors = new Map<number, Int8Array>();
  const reported = new Map<number, StatedTime>();
  const answers = new Set<number>();
  const claims: { seed: Seed; fact: SeedFact }[] = [];
  for (const [number, match] of found) {
    const candidate = candidates.get(number);
    if (candidate === undefined) continue;
    const { session, mentions, isQuestion, isTurn, fact, vector } = candidate;
    if (candidate.statedTime !== undefined) reported.set(number, candidate.statedTime);
    if (candidate.isAnswer) answers.add(number);
    const isStanding = demanding.has(number);
    const seed: Seed = {
      number,
      ...match,
      entity: mentions,
      session,
      isQuestion,
      isTurn,
      isStanding,
    };
    episodes.set(number, seed);
    if (vector !== undefined) vectors.set(number, vector);
    if (fact !== undefined) claims.push({ seed, fact });
  }
  claims.sort((a, b) => a.fact.id - b.fact.id);
  return {
    episodes,
    vectors,
    statedTimes: reported,
    answers,
    clusters: collectClusters(claims),
    facts: claims.map(({ fact }) => fact),
  };
}

/** Returns each cluster's best text and vector match among its facts; ties go to the oldest. */
function collectClusters(claims: readonly { seed: Seed; fact: SeedFact }[]): Map<number, Seed> {
  const clusters = new Map<number, Seed>();
  for (const { seed, fact } of claims) {
    const known = clusters.get(fact.concept);
    if (seedStrength(seed) > (known === undefined ? 0 : seedStrength(known))) {
      clusters.set(fact.concept, seed);
    }
  }
  return clusters;
}

type CandidatesByNumber = ReadonlyMap<number, Candidate>;

/**
 * Prefetches concepts that may become candidates while the episodes are read: those that match the
 * query and the clusters of all candidate episodes. Saves a round trip. Undefined if the time limit
 * is reached.
 */
function prefetchConcepts(
  tx: Tx,
  search: SeedInputs,
  { about, numbers: clustersOf }: { about: ReadonlySet<number>; numbers: readonly number[] },
): Promise<CandidatesByNumber | undefined> {
  const numbers = [...search.texts.concept.keys(), ...search.near.concept, ...about];
  return readMeasured(search, numbers, (query) =>
    loadConceptCandidates(tx, { ...query, clustersOf }),
  );
}

interface ConceptSearch {
  readonly about: ReadonlySet<number>;
  readonly clusters: ReadonlyMap<number, Seed>;
  readonly known: CandidatesByNumber | undefined;
}

async function findConcepts(
  tx: Tx,
  search: SeedInputs,
  { about, clusters, known }: ConceptSearch,
): Promise<Map<number, Seed>> {
  const { texts, near } = search;
  const reached = [...about, ...clusters.keys()];
  const numbers = [...texts.concept.keys(), ...near.concept, ...reached];
  const candidates =
    known === undefined
      ? await addMeasures(search, numbers, (query) => loadConceptCandidates(tx, query))
      : selectCandidates(known, numbers);
  const found = searchKind(candidates, { ...search, texts: texts.concept, further: reached });
  return new Map(
    Array.from(found, ([number, match]) => [
      number,
      {
        number,
        ...match,
        entity: about.has(number) ? 1 : 0,
        session: null,
        isQuestion: false,
        isTurn: false,
        isStanding: false,
      },
    ]),
  );
}

/** Loads candidates with vectors, or after the time limit a few without. */
async function addMeasures<T>(
  search: SeedInputs,
  numbers: readonly number[],
  load: (query: CandidateQuery) => Promise<T>,
): Promise<T> {
  const all = await readMeasured(search, numbers, load);
  if (all !== undefined) return all;
  const best = numbers.slice(0, MAX_CANDIDATES_WHEN_LATE);
  return load({ scope: removeTimes(search.scope), numbers: best, measures: NO_MEASURES });
}

async function readMeasured<T>(
  search: SeedInputs,
  numbers: readonly number[],
  load: (query: CandidateQuery) => Promise<T>,
): Promise<T | undefined> {
  const { scope, measures } = search;
  const query = { scope, numbers, measures };
  const loadAll = () =>
    measures.vectors ? convertDamage("vectors", () => load(query)) : load(query);
  return withinDeadline(search, loadAll, undefined);
}

function selectCandidates(
  candidates: CandidatesByNumber,
  numbers: readonly number[],
): CandidatesByNumber {
  return new Map(
    [...new Set(numbers)].flatMap((number) => {
      const candidate = candidates.get(number);
      return candidate === undefined ? [] : [[number, candidate] as const];
    }),
  );
}

/** Returns the items of a scope that is small enough for exhaustive comparison. */
async function loadSmallScope(tx: Tx, scope: RecallScope): Promise<AllowedNumbers> {
  if (!isNarrow(scope)) return UNRESTRICTED;
  const rows = await itemsInScope(tx, scope.values, scope);
  const getNumbers = (requested: MemoryKind) => {
    const numbers = rows.flatMap(([kind, number]) => (kind === requested ? [number] : []));
    return numbers.length > MAX_SMALL_SCOPE ? undefined : numbers;
  };
  const episode = getNumbers("episode");
  return episode === undefined ? UNRESTRICTED : { episode, concept: getNumbers("concept") };
}

const SMALL_SCOPE_LIMIT = sql.raw(String(MAX_SMALL_SCOPE + 1));

const itemsInScope = rowQuery<[kind: MemoryKind, number: number], RecallScope>(
  (scope) => sql`with among as materialized (
      select few.id from (${episodesInScope(scope)} limit ${SMALL_SCOPE_LIMIT}) few
    )
    select 'episode' as kind, among.id from among
    union all
    select 'concept', few.id from (
      select concepts.id from concepts
      where (select count(*) from among) <= ${sql.raw(String(MAX_SMALL_SCOPE))}
        and concepts.id in (${conceptsThatMayMatch(scope, sql`select among.id from among`)})
        and ${conceptInScope(scope)} limit ${SMALL_SCOPE_LIMIT}) few`,
);
