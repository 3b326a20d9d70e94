import { sql } from "drizzle-orm";
import {
  listOfValues,
  numbersParameter,
  preparedQuery,
  rowQuery,
  type Tx,
} from "../../database/index.ts";
import { settleAll } from "../../shared/async.ts";
import { lazy, topK } from "../../shared/collections.ts";
import { MEMORY_KINDS, type MemoryKind } from "../context/indexed-kind.ts";
import { episodes } from "../episodes/episode.table.ts";
import { DISPUTABLE_TYPES } from "../episodes/episode-types.ts";
import { MAX_STATEMENT_CHARACTERS, Wordings } from "../language/wordings.ts";
import { convertDamage } from "../search/derived-damage.ts";
import { type CountedTerms, countTermsOfKinds, getTextIndex } from "../search/match-texts.ts";
import type { Term } from "../search/text-query.ts";
import { computeCertainty } from "./certainty.ts";
import { type QueriedTime, type StatedTime, timeOverlap } from "./dates/queried-time.ts";
import { findSeeds } from "./find-seeds.ts";
import { withinDeadline } from "./limit-to-deadline.ts";
import { applyEcho, type PreparedRecall } from "./prepare-recall.ts";
import {
  type Activation,
  Arrivals,
  computeActivation,
  penalizeAnswers,
  scoreByActivation,
  scoreUnmeasured,
} from "./rank.ts";
import type { RecallRequest } from "./recall.schema.ts";
import type { RecallScope } from "./recall-scope.ts";
import { computeQueryMeasures, computeRelevance } from "./relevance.ts";
import type { Seeds } from "./seed.ts";
import {
  type Activated,
  collectActivations,
  createUnspread,
  spreadActivation,
} from "./spread-activation.ts";
import { diversifySteps } from "./steps.ts";

const wordings = lazy(() => new Wordings());

/**
 * Numbers of the decisions and preferences that reject a word which they share with the query: "No malloc after
 * init" for a query about `malloc`.
 */
async function findRejectingRules(
  tx: Tx,
  shared: ReadonlyMap<number, readonly string[]>,
): Promise<number[]> {
  if (shared.size === 0) return [];
  const rows = await rulesByNumber(tx).execute({ numbers: listOfValues([...shared.keys()]) });
  return rows
    .filter(({ id, content }) => {
      const { rejected } = wordings().of(content);
      const words = shared.get(id) ?? [];
      return words.some((word) =>
        wordings()
          .words(word)
          .some((stem) => rejected.has(stem)),
      );
    })
    .map(({ id }) => id);
}

const rulesByNumber = preparedQuery((tx) =>
  tx
    .select({ id: episodes.id, content: episodes.content })
    .from(episodes)
    .where(
      sql`${episodes.id} in (${numbersParameter("numbers")}) and ${isInRules} and length(${episodes.content}) <= ${sql.raw(String(MAX_STATEMENT_CHARACTERS))}`,
    )
    .prepare(),
);

const isInRules = sql`${episodes.episodeType} in (${sql.join(
  DISPUTABLE_TYPES.map((type) => sql`${type}`),
  sql`, `,
)})`;

/** Score of an item that matches the date in a query that only contains a date. */
const DATE_SCORE = 0.7;
const DATE_AND_WORDS_SCORE = 0.35;
/** Maximum path length over explicit edges. */
const MAX_HOPS = 2;

/**
 * Computes the score of every activated item: its own relevance, or the relevance propagated over
 * an explicit edge, reduced by the edge. A cluster has the score of its best fact.
 */
function scoreItems(
  { episodes, concepts }: Pick<Activated, "episodes" | "concepts">,
  { prepared, seeds, isMeasured }: ScoredSearch,
): void {
  const { vector, words, time } = prepared;
  const all = collectActivations({ episodes, concepts });
  if ((words.length === 0 && vector === undefined) || !isMeasured) {
    const getScore = isMeasured ? scoreByActivation : scoreUnmeasured;
    for (const parts of all) parts.score = getScore(computeActivation(parts));
    return;
  }
  const vectors = vector && { vector: vector.background, tokens: vector.tokens?.background };
  const measured = all.map((parts) => ({ ...parts, activation: computeActivation(parts) }));
  const query = computeQueryMeasures(measured, { words: words.length, vectors });
  for (const [index, item] of measured.entries()) {
    const parts = all[index] as Activation;
    parts.score = computeRelevance(item, query);
    if (time?.isAlone === true) raiseScore(parts, DATE_SCORE * parts.date);
    else if (parts.containedWords > 0) raiseScore(parts, DATE_AND_WORDS_SCORE * parts.date);
  }
  for (const { episode, concept } of seeds.facts)
    raiseScore(concepts.get(concept)?.parts, episodes.get(episode)?.score);
  for (let hop = 0; hop < MAX_HOPS; hop += 1) {
    for (const parts of all) {
      if (parts.strongestSource === undefined) continue;
      const { kind, number, weight } = parts.strongestSource;
      const source = kind === "episode" ? episodes.get(number) : concepts.get(number)?.parts;
      raiseScore(parts, source && weight * source.score);
    }
  }
}

interface ScoredSearch {
  readonly prepared: Pick<PreparedRecall, "vector" | "words" | "time">;
  readonly seeds: Pick<Seeds, "facts">;
  readonly isMeasured: boolean;
}

function raiseScore(parts: Activation | undefined, score: number | undefined): void {
  if (parts !== undefined && score !== undefined) parts.score = Math.max(parts.score, score);
}

const MAX_MEASURED = 120;
/** Minimum number of items for meaningful word rarity. */
const MIN_ITEMS = 50;
const MAX_COUNTED = 50_000;
/** Words found in more items are skipped, unless they are among the rarest of the query. */
const MAX_ROWS = 1500;
const MIN_MEASURED = 2;
/** Weight of a rare word, relative to an unseen one. */
const RARE_THRESHOLD = 0.75;

/**
 * Measures how much of the query's words the most activated items contain, weighted by inverse
 * document frequency. Unlike the text score, it does not depend on the best match.
 */
async function measureWords(
  tx: Tx,
  { words, counted }: { readonly words: readonly string[]; readonly counted: CountedTerms },
  items: Readonly<Record<MemoryKind, ReadonlyMap<number, Activation>>>,
): Promise<void> {
  if (words.length === 0) return;
  const [[[size = 0] = []], episodes, concepts] = await settleAll(
    memorySize(tx, {}),
    findContainedTerms(tx, "episode", { terms: counted.episode, items: items.episode }),
    findContainedTerms(tx, "concept", { terms: counted.concept, items: items.concept }),
  );
  const getWeight = (rows: number) =>
    Math.log(1 + (Math.max(size, MIN_ITEMS, rows) - rows + 0.5) / (rows + 0.5));
  const maxWeight = getWeight(0);
  const missing = Math.max(0, words.length - counted.episode.length) * maxWeight;
  const all = counted.episode.reduce((sum, { rows }) => sum + getWeight(rows), missing);
  const rare = new Map<number, string[]>();
  for (const { searched, held, kind } of [episodes, concepts]) {
    // Concepts also use the document frequency of episodes.
    const weights = searched.map((term) => {
      const inEpisodes = counted.episode.find((one) => isSameTerm(one, term));
      return getWeight(inEpisodes?.rows ?? 0);
    });
    for (const { term, number } of held) {
      const parts = items[kind].get(number);
      const weight = weights[term] as number;
      if (parts === undefined) continue;
      parts.coverage = Math.min(1, parts.coverage + weight / all);
      parts.containedWords += weight;
      parts.rarity = Math.max(parts.rarity, weight / maxWeight);
      if (kind !== "episode" || weight < RARE_THRESHOLD * maxWeight) continue;
      rare.set(number, [...(rare.get(number) ?? []), (searched[term] as Term).word]);
    }
  }
  for (const number of await findRejectingRules(tx, rare)) {
    const parts = items.episode.get(number);
    if (parts !== undefined) parts.isRejecting = true;
  }
}

async function findContainedTerms(
  tx: Tx,
  kind: MemoryKind,
  {
    terms,
    items,
  }: { readonly terms: readonly Term[]; readonly items: ReadonlyMap<number, Activation> },
) {
  const measured = topK(
    [...items],
    MAX_MEASURED,
    ([a, ofA], [b, ofB]) => computeActivation(ofB) - computeActivation(ofA) || b - a,
  );
  const numbers = measured.map(([number]) => number);
  const searched = terms
    .filter(({ rows }) => rows > 0)
    .filter(({ rows }, index) => rows <= MAX_ROWS || index < MIN_MEASURED);
  const isEmpty = searched.length === 0 || numbers.length === 0;
  const containedTerms = isEmpty
    ? []
    : await getTextIndex(tx).loadContainedTerms(tx, kind, { terms: searched, numbers });
  return { kind, searched, held: containedTerms };
}

function isSameTerm(a: Term, b: Term): boolean {
  return a.word === b.word && a.isBeginning === b.isBeginning;
}

/** Counts episodes up to a bound beyond which rarity hardly changes. */
const memorySize = rowQuery<[number]>(
  () =>
    sql`select count(*) from (select 1 from episodes where deleted_at is null limit cast(${MAX_COUNTED} as integer)) as counted`,
);

export interface Search {
  readonly request: RecallRequest;
  readonly prepared: PreparedRecall;
  readonly scope: RecallScope;
  isLate(): boolean;
}

export interface ActivatedItems {
  readonly activated: Activated;
  readonly certainty: number;
  readonly seeds: Seeds;
  readonly entities: readonly number[];
  readonly arrivals: Arrivals | undefined;
  /** False if the time limit was reached before the search was complete. */
  readonly complete: boolean;
}

export async function activate(
  tx: Tx,
  { request, prepared, scope, isLate }: Search,
): Promise<ActivatedItems> {
  const requests = scope.entity === undefined ? [] : [scope.entity];
  const entities = [...new Set([...requests, ...prepared.entities.map(({ id }) => id)])];
  const otherEntities = prepared.secondaryEntities.filter((entity) => entity !== scope.entity);
  const { vector, time, isAboutOneself, isOrdered, words } = prepared;
  const count = () => convertDamage("text index", () => countTermsOfKinds(tx, words, MEMORY_KINDS));
  const counted = prepared.ahead?.words ?? (await withinDeadline({ isLate }, count, undefined));
  const ahead = { contextWords: undefined, vectors: undefined, ...prepared.ahead, words: counted };
  const seeds = await findSeeds(tx, {
    prepared: { ...prepared, ahead },
    scope,
    entities,
    secondaryEntities: otherEntities,
    isLate,
  });
  const measures = { vectors: vector !== undefined, tokens: false };
  const contextual = vector?.contextual ?? true;
  const background = vector?.background;
  const isDated = time !== undefined;
  const arrivals = request.explain === true ? new Arrivals() : undefined;
  const from = {
    seeds,
    measures,
    isDated,
    isAboutOneself,
    isOrdered,
    contextual,
    background,
    arrivals,
  };
  const spread = () => spreadActivation(tx, scope, from);
  const reached = await withinDeadline({ isLate }, spread, undefined);
  const activated = reached ?? createUnspread(seeds, arrivals);
  const complete = reached !== undefined && !isLate();
  if (time !== undefined && complete) matchDates(activated.episodes, activated.statedTimes, time);
  penalizeAnswers(activated.episodes, activated.answers);
  const measure = async () => {
    if (counted === undefined) return false;
    await measureWords(
      tx,
      { words, counted },
      {
        episode: activated.episodes,
        concept: new Map(Array.from(activated.concepts, ([number, { parts }]) => [number, parts])),
      },
    );
    return true;
  };
  const measured = await withinDeadline(
    { isLate },
    () => convertDamage("text index", measure),
    false,
  );
  if (complete) applyEcho(activated.episodes, activated.vectors, vector);
  if (isOrdered) diversifySteps(activated.episodes, activated.sessions);
  const certainty = complete ? computeCertainty(collectActivations(activated), prepared) : 1;
  scoreItems(activated, { prepared, seeds, isMeasured: measured });
  return { activated, certainty, seeds, entities, arrivals, complete: complete && measured };
}

/**
 * Treats a time in the query like an entity: items about that time gain up to 1, but no more than
 * their other matches contribute. A date thus confirms other matches, and finds items alone only if
 * the query contains nothing else.
 */
function matchDates(
  episodes: ReadonlyMap<number, Activation>,
  reported: ReadonlyMap<number, StatedTime>,
  time: QueriedTime,
): void {
  for (const [number, parts] of episodes) {
    const when = reported.get(number);
    const maxGain = time.isAlone ? 1 : Math.min(1, computeActivation(parts));
    if (when !== undefined && maxGain > 0) parts.date = Math.min(maxGain, timeOverlap(time, when));
  }
}
