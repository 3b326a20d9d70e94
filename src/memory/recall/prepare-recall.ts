import type { Tx } from "../../database/index.ts";
import { hasRoundTrips } from "../../database/index.ts";
import type { SimilarityBackground } from "../../embedding/index.ts";
import { settleAll } from "../../shared/async.ts";
import { topK } from "../../shared/collections.ts";
import { Deadline } from "../../shared/deadline.ts";
import { CairnError, invalidInput, isCairnError } from "../../shared/errors.ts";
import { escapePattern } from "../../shared/text.ts";
import { INDEXED_KINDS, type IndexedKind, MEMORY_KINDS } from "../context/indexed-kind.ts";
import { type EntityRow, findEntity } from "../entities/entity.queries.ts";
import { FILTER_NAMES } from "../filters/filter-table.ts";
import { parseEntity } from "../input/parse-entity.ts";
import { convertDamage, DerivedDamage } from "../search/derived-damage.ts";
import { type CountedTerms, countTermsOfKinds, matchTexts } from "../search/match-texts.ts";
import type { PrepareContext } from "../search/prepare-context.ts";
import type { QueryTokens } from "../search/query-vectors.ts";
import { isStopWord, parseQueryWords, splitWords } from "../search/query-words.ts";
import { computeCosines } from "../search/simd/cosines.ts";
import { computeMeanDirection } from "../search/stored-vector.ts";
import { selectMissingVectors } from "../search/vector-batches.ts";
import { getVectorIndex } from "../search/vector-index.ts";
import type { VectorCoverage } from "../search/vector-query.ts";
import type { ItemKey, VectorWork } from "../search/vector-work.ts";
import { FULL_VISIBILITY } from "../search/visibility.ts";
import { dayNumber } from "./dates/period.ts";
import { parseQueriedTime, type QueriedTime } from "./dates/queried-time.ts";
import { matchEntities } from "./match-entities.ts";
import { type Activation, computeActivation, isAboutOneself } from "./rank.ts";
import type { RecallRequest } from "./recall.schema.ts";
import { scoreSimilarity } from "./score-similarity.ts";
import { isOrderQuery } from "./steps.ts";

const PERSON_TYPE = "person";
/** Conjunctions and punctuation between names, in ten languages. */
const CONJUNCTIONS: ReadonlySet<string> = new Set([
  "",
  ..."& + / and or und oder et ou y e o u ja tai и или ve veya".split(" "),
]);

/**
 * Removes names of people: a sentence encoder learns nothing from them and they dominate the other
 * words; entities are matched separately. Returns the query unchanged if only stop words would
 * remain.
 */
export function removePeople(query: string, entities: readonly EntityRow[]): string {
  const people = filterPeople(entities);
  if (people.length === 0) return query;
  const rest = query.replace(createNamePattern(people), "");
  return splitWords(rest).every(isStopWord) ? query : rest;
}

/**
 * Returns the people whom a question mentions secondarily. Its subject is the first person and
 * those joined by a conjunction: "What did Ada tell Bob and Carl?" asks about Ada.
 */
export function findSecondaryPeople(query: string, entities: readonly EntityRow[]): number[] {
  const people = filterPeople(entities);
  if (people.length < 2) return [];
  const requested = new Set<string>();
  const secondary = new Set<string>();
  let end: number | undefined;
  for (const match of query.matchAll(createNamePattern(people))) {
    const name = normalizeName(match[1] ?? "");
    const isRequested =
      secondary.size === 0 && isJoined(query.slice(end ?? match.index, match.index));
    if (isRequested) requested.add(name);
    else if (!requested.has(name)) secondary.add(name);
    end = match.index + match[0].length;
  }
  return people.flatMap(({ id, name }) => (secondary.has(normalizeName(name)) ? [id] : []));
}

function isJoined(between: string): boolean {
  return CONJUNCTIONS.has(between.replace(/[\s,]/g, "").toLowerCase());
}

function filterPeople(entities: readonly EntityRow[]): EntityRow[] {
  return entities.filter(({ type }) => type === PERSON_TYPE);
}

/** Matches any of these names, longest first, with the English possessive. */
function createNamePattern(people: readonly EntityRow[]): RegExp {
  const names = people
    .map(({ name }) => name)
    .sort((a, b) => b.length - a.length)
    .map((name) => escapePattern(name).replace(/\s+/g, "\\s+"));
  return new RegExp(`(?<![\\p{L}\\p{N}])(${names.join("|")})(?:['’]s)?(?![\\p{L}\\p{N}])`, "giu");
}

function normalizeName(name: string): string {
  return name.replace(/\s+/g, " ").toLowerCase();
}

/** Prefetched data that saves round trips; may be slightly outdated. */
interface PrefetchedData {
  readonly words: CountedTerms | undefined;
  readonly contextWords: CountedTerms | undefined;
  /** Undefined if vectors are not searched. */
  readonly vectors: VectorCoverage | undefined;
}

/** Returns undefined for local databases, which gain nothing. */
async function prefetchSearchData(
  tx: Tx,
  request: RecallRequest,
  { hasVectors }: { readonly hasVectors: boolean },
): Promise<PrefetchedData | undefined> {
  if (!hasRoundTrips(tx)) return undefined;
  const count = (text: string | undefined) => {
    const words = isNarrowed(request) ? [] : parseQueryWords(text ?? "");
    return words.length === 0 ? NO_RESULT : countTermsOfKinds(tx, words, MEMORY_KINDS);
  };
  const [words, contextWords, vectors] = await settleAll(
    count(request.query),
    count(request.context),
    hasVectors ? loadVectorStanding(tx) : NO_RESULT,
  );
  return { words, contextWords, vectors };
}

const NO_RESULT = Promise.resolve(undefined);

async function loadVectorStanding(tx: Tx): Promise<VectorCoverage | undefined> {
  return getVectorIndex(tx).loadCoverage?.(tx, MEMORY_KINDS);
}

function isNarrowed(request: RecallRequest): boolean {
  const input: Readonly<Record<string, unknown>> = { ...request, ...request.narrowedBy };
  const { as_of: asOf, known_at: knownAt } = request;
  return (
    asOf !== undefined ||
    knownAt !== undefined ||
    FILTER_NAMES.some((name) => name !== "text" && input[name] !== undefined)
  );
}

export interface PreparedRecall {
  readonly words: readonly string[];
  readonly contextWords: readonly string[];
  readonly entity: EntityRow | undefined;
  readonly entities: readonly EntityRow[];
  readonly secondaryEntities: readonly number[];
  readonly time: QueriedTime | undefined;
  readonly isAboutOneself: boolean;
  /** True if the query asks for the order of events. */
  readonly isOrdered: boolean;
  readonly today: number;
  readonly vector: QueryDirection | undefined;
  readonly missingVectors: number;
  readonly deadline: Deadline | undefined;
  /** Undefined if the search loads this data itself. */
  readonly ahead: PrefetchedData | undefined;
}

export interface QueryDirection {
  readonly direction: Float32Array;
  readonly background: SimilarityBackground;
  readonly contextual: boolean;
  readonly tokens: QueryTokens | undefined;
}

/** Missing vectors computed before the search without a deadline; beyond that, partial results. */
const MAX_MISSING = 500;
const MAX_MISSING_RATIO = 0.5;
const CONTEXT_WEIGHT = 0.5;

/** Runs model calls and waits before any lock is acquired. Throws invalid_input or conflict. */
export async function prepareRecall(
  { vectors, clock, options, read }: PrepareContext,
  request: RecallRequest,
): Promise<PreparedRecall> {
  const { timeout_ms: timeout, context = "" } = request;
  const query = (request.query ?? "").trim();
  checkRequest(request, query);
  const words = parseQueryWords(query);
  const deadline =
    timeout === undefined ? undefined : new Deadline(options.clock ?? clock, timeout);
  const soon = deadline?.afterShare(MAX_MISSING_RATIO);
  const work: VectorWork = { deadline: soon, ...options, limit: MAX_MISSING, onlyUrgent: true };
  const hasVectors = vectors.enabled && (query !== "" || request.context !== undefined);
  const [entities, state, entity, ahead] = await read((tx) =>
    settleAll(
      matchEntities(tx, query),
      vectors.readState(tx),
      findRequestedEntity(tx, request),
      prefetchSearchData(tx, request, { hasVectors }),
    ),
  );
  const today = dayNumber(request.as_of ?? request.known_at ?? clock.now());
  const texts = embeddingTexts(query, context, entities);
  const embed = async () =>
    texts.length === 0 ? undefined : vectors.embedQueries(texts, { ...work, known: state?.pin });
  // Embedding the query takes milliseconds; missing vectors take seconds.
  const early = deadline === undefined ? undefined : await embed();
  const isMissing = state?.pending !== 0;
  if (isMissing && hasVectors) {
    const kinds = (request.passage_k ?? 0) > 0 ? INDEXED_KINDS : MEMORY_KINDS;
    const candidates = await read((tx) => candidatesWithoutVector(tx, words, kinds));
    await vectors.makeFirst(candidates, work);
  }
  const missingVectors = isMissing ? await vectors.makeMissing(work) : 0;
  const created = early ?? (await embed());
  return {
    words,
    contextWords: parseQueryWords(context),
    entity,
    entities,
    secondaryEntities: findSecondaryPeople(query, entities),
    time: parseQueriedTime(query, today),
    isAboutOneself: isAboutOneself(query),
    isOrdered: isOrderQuery(query),
    today,
    vector: created && { ...created, direction: blendVectors(created.vectors) },
    missingVectors,
    deadline,
    ahead,
  };
}

/** Best text matches of each kind whose vectors are computed first. */
const MAX_FIRST_VECTORS = 20;

/** Finds the best text matches without a vector, best first. */
async function candidatesWithoutVector(
  tx: Tx,
  words: readonly string[],
  kinds: readonly IndexedKind[],
): Promise<ItemKey[]> {
  if (words.length === 0) return [];
  const queries = kinds.map((kind) => ({
    kind,
    visible: FULL_VISIBILITY,
    limit: MAX_FIRST_VECTORS,
  }));
  try {
    const found = await convertDamage("text index", () => matchTexts(tx, words, queries));
    const ranks = Array.from({ length: MAX_FIRST_VECTORS }, (_, index) => index);
    const best = ranks.flatMap((index) =>
      kinds.flatMap((kind) => {
        const match = found[kind][index];
        return match === undefined ? [] : [{ kind, itemId: match.number }];
      }),
    );
    return await convertDamage("vectors", () => selectMissingVectors(tx, best));
  } catch (error) {
    // The search reports the same damage.
    if (error instanceof DerivedDamage) return [];
    throw error;
  }
}

async function findRequestedEntity(
  tx: Tx,
  { entity }: RecallRequest,
): Promise<EntityRow | undefined> {
  return entity === undefined ? undefined : findEntity(tx, parseEntity(entity));
}

function checkRequest(request: RecallRequest, query: string): void {
  if (request.entity !== undefined) checkEntity(request.entity);
  if (query !== "" || request.entity !== undefined) return;
  throw invalidInput("recall: give a query, an entity, or both");
}

function checkEntity(id: string): void {
  try {
    parseEntity(id);
  } catch (error) {
    if (!isCairnError(error)) throw error;
    throw new CairnError(error.code, `recall: entity: ${error.message}`, error.details);
  }
}

function embeddingTexts(query: string, context: string, entities: readonly EntityRow[]): string[] {
  return [query === "" ? "" : removePeople(query, entities), context.trim()].filter(Boolean);
}

function blendVectors([query, context]: readonly Float32Array[]): Float32Array {
  if (query === undefined) return new Float32Array();
  if (context === undefined) return query;
  const sum = query.map((value, index) => value + CONTEXT_WEIGHT * (context[index] ?? 0));
  const length = Math.hypot(...sum);
  return length === 0 ? query : sum.map((value) => value / length);
}

/** Weight of a full match of each measure, relative to an entity match. */
interface MeasureWeights {
  readonly text: number;
  readonly vector: number;
  readonly tokens: number;
}

const WEIGHTS_WITHOUT_TOKENS: MeasureWeights = { text: 1, vector: 1, tokens: 0 };
const WEIGHTS_WITH_TOKENS: MeasureWeights = { text: 0.6, vector: 0.5, tokens: 1.75 };

export function measureWeights(vector: Pick<QueryDirection, "tokens"> | undefined): MeasureWeights {
  return vector?.tokens === undefined ? WEIGHTS_WITHOUT_TOKENS : WEIGHTS_WITH_TOKENS;
}

const MAX_ECHO_VECTORS = 5;
/** Breaks ties between items similar to the best episodes without outweighing the query. */
const ECHO_WEIGHT = 0.3;

/** Pseudo-relevance feedback (Rocchio 1971): raises episodes near the mean of the best ones. */
export function applyEcho(
  episodes: ReadonlyMap<number, Activation>,
  vectors: ReadonlyMap<number, Int8Array>,
  query: QueryDirection | undefined,
): void {
  if (query === undefined) return;
  const activated: Activated[] = [];
  for (const [number, parts] of episodes) {
    const vector = vectors.get(number);
    const activation = computeActivation(parts);
    if (vector !== undefined && activation > 0)
      activated.push({ number, parts, activation, vector });
  }
  const best = topK(
    activated,
    MAX_ECHO_VECTORS,
    (a, b) => b.activation - a.activation || b.number - a.number,
  );
  const direction = computeMeanDirection(best.map(({ vector }) => vector));
  if (direction === undefined) return;
  const cosines = computeCosines(
    direction,
    activated.map(({ vector }) => vector),
  );
  const highest = cosines.reduce((limit, cosine) => Math.max(limit, cosine), 0);
  const { background } = query;
  for (const [index, { parts }] of activated.entries()) {
    const cosine = cosines[index] as number;
    parts.echo = ECHO_WEIGHT * scoreSimilarity(cosine, highest, background);
  }
}

interface Activated {
  readonly number: number;
  readonly parts: Activation;
  readonly activation: number;
  readonly vector: Int8Array;
}
