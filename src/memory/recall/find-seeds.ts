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

/** So many items of a scope are compared one by one; more are searched through the indexes. */
const FEW = 2000;
/** Of what text found, where time is up. */
const CANDIDATES_WHEN_LATE = 40;

const NOT_FEW: Among = { episode: undefined, concept: undefined };
const NONE_NEAR: Material["near"] = { episode: [], concept: [] };
const NO_NEWEST: NewestAskedFor = { ofEntities: [], ofTime: [], standing: [] };
const UNMEASURED: Measures = { vectors: false, tokens: false };

/** What both kinds are searched with. */
interface Material extends SeedSearch {
  readonly texts: FoundTexts;
  readonly near: Readonly<Record<"episode" | "concept", readonly number[]>>;
  readonly measures: Measures;
}

/** Episodes and concepts that the query matches by text, vector or entity, within the scope. */
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

/** The newest episodes that are asked for, and the concepts that those of entities support. */
async function findNewest(tx: Tx, search: SeedSearch) {
  const named = () => newestAskedFor(tx, search);
  // Which instructions stand, the index of the words knows.
  const read = search.prepared.words.length > 0 ? () => usingPart("text index", named) : named;
  const newest = await unlessLate(search, read, NO_NEWEST);
  const { scope } = search;
  const edges = await unlessLate(search, () => loadConceptsOf(tx, scope, newest.ofEntities), []);
  return { newest, edges };
}

/** Those that may be near by meaning: the few that are searched at all, else the nearest there are. */
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

/** For each cluster the best text and vector match of its facts, the oldest of equals. */
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
 * Candidates, the best first, with their measures. Where there is no time for that a few are read
 * without, which is soon done: else nothing that was found could be returned.
 */
async function measured<T>(
  search: Material,
  numbers: readonly number[],
  load: (query: CandidateQuery) => Promise<T>,
): Promise<T> {
  const { scope, measures } = search;
  const query = { scope, numbers, measures };
  // The vectors are all that may be damaged of what candidates are read from.
  const loadAll = () => (measures.vectors ? usingPart("vectors", () => load(query)) : load(query));
  const all = await unlessLate(search, loadAll, undefined);
  if (all !== undefined) return all;
  const best = numbers.slice(0, CANDIDATES_WHEN_LATE);
  return load({ scope: untimed(scope), numbers: best, measures: UNMEASURED });
}

/** The only items of a narrow scope, where they are few. */
async function fewItems(tx: Tx, scope: RecallScope): Promise<Among> {
  const episode = isNarrow(scope) ? await fewEpisodes(tx, scope) : undefined;
  if (episode === undefined) return NOT_FEW;
  return { episode, concept: await fewConcepts(tx, scope, episode) };
}

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
