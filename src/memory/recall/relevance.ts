import type { SimilarityBackground } from "../../embedding/index.ts";

/** The measures of an item on which its score depends. */
export interface ItemMeasures {
  /** Undefined if the item has no vector, or nothing is compared by vectors. */
  readonly cosine?: number | undefined;
  readonly similarity?: number | undefined;
  readonly coverage: number;
  readonly held: number;
  readonly entity: number;
  /** Below 0 if the item asks instead of telling. */
  readonly question: number;
  readonly date: number;
  readonly activation: number;
  /** Activation of who speaks, of the order of steps and of standing instructions: part of a turn's activation. */
  readonly voice: number;
  readonly steps: number;
  readonly standing: number;
  /** True if the item is a turn of a session: see `isTurn`. */
  readonly isTurn: boolean;
}

/** The measures of a query, which are the same for all its items. */
export interface QueryMeasures {
  readonly words: number;
  readonly vectors: Backgrounds | undefined;
  readonly best: {
    readonly cosine: number;
    readonly similarity: number;
    readonly coverage: number;
    readonly activation: number;
    /** The two largest sums of an item's own measures. */
    readonly own: readonly [first: number, second: number];
  };
}

export interface Backgrounds {
  readonly vector: SimilarityBackground;
  /** Undefined if the embedder provides no tokens. */
  readonly tokens: SimilarityBackground | undefined;
}

export type Form = "turn" | "statement" | "text";

export function formOf({ isTurn, cosine }: Pick<ItemMeasures, "isTurn" | "cosine">): Form {
  if (isTurn) return "turn";
  return cosine === undefined ? "text" : "statement";
}

/** Similarity in units of the background: 0 is that of unrelated texts, 1 the noise. */
function aboveBackground(
  value: number | undefined,
  background: SimilarityBackground | undefined,
): number {
  if (value === undefined || background === undefined) return 0;
  return (value - background.mean) / Math.max(background.noise - background.mean, 1e-6);
}

function ownMatch(item: ItemMeasures, vectors: Backgrounds | undefined): number {
  return (
    aboveBackground(item.cosine, vectors?.vector) +
    aboveBackground(
      item.similarity ?? item.cosine,
      item.similarity === undefined ? vectors?.vector : vectors?.tokens,
    ) +
    COVERAGE_WEIGHT * item.coverage
  );
}

const COVERAGE_WEIGHT = 2;

export function measuresOfQuery(
  items: Iterable<ItemMeasures>,
  { words, vectors }: Pick<QueryMeasures, "words" | "vectors">,
): QueryMeasures {
  let [cosine, similarity, coverage, activation, first, second] = [0, 0, 0, 0, 0, 0] as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  for (const item of items) {
    cosine = Math.max(cosine, aboveBackground(item.cosine, vectors?.vector));
    similarity = Math.max(similarity, similarityOf(item, vectors));
    coverage = Math.max(coverage, item.coverage);
    activation = Math.max(activation, item.activation);
    const own = ownMatch(item, vectors);
    if (own > first) [first, second] = [own, first];
    else if (own > second) second = own;
  }
  return {
    words,
    vectors,
    best: { cosine, similarity, coverage, activation, own: [first, second] },
  };
}

/** An embedder without tokens has its vectors count in their place. */
function similarityOf(item: ItemMeasures, vectors: Backgrounds | undefined): number {
  return item.similarity === undefined || vectors?.tokens === undefined
    ? aboveBackground(item.cosine, vectors?.vector)
    : aboveBackground(item.similarity, vectors.tokens);
}

type Feature = (item: ItemMeasures, query: QueryMeasures) => number;

const MAX_HELD = 20;
const constant: Feature = () => 1;
const held: Feature = (item) => Math.min(item.held, MAX_HELD);
const coverage: Feature = (item) => item.coverage;
const bestCosine: Feature = (_, { best }) => best.cosine;
const bestSimilarity: Feature = (_, { best }) => best.similarity;
const bestCoverage: Feature = (_, { best }) => best.coverage;
const entity: Feature = (item) => item.entity;
const date: Feature = (item) => item.date;
const asks: Feature = (item) => (item.question < 0 ? 1 : 0);
const words: Feature = (_, query) => Math.log(1 + query.words);
/** Distance to the best of the other items. */
const lead: Feature = (item, { vectors, best }) => {
  const own = ownMatch(item, vectors);
  return own - (own >= best.own[0] ? best.own[1] : best.own[0]);
};

/** What each form is estimated from, in the order of its coefficients. */
export const FEATURES: Readonly<Record<Form, readonly Feature[]>> = {
  turn: [
    constant,
    (item) => item.activation,
    (item, { best }) => item.activation - best.activation,
    bestCosine,
    bestSimilarity,
    bestCoverage,
  ],
  statement: [
    constant,
    (item, { vectors }) => aboveBackground(item.cosine, vectors?.vector),
    (item, { vectors }) => similarityOf(item, vectors),
    coverage,
    held,
    lead,
    bestCosine,
    bestSimilarity,
    bestCoverage,
    entity,
    date,
    asks,
    words,
  ],
  text: [
    constant,
    coverage,
    held,
    (item, { best }) => item.coverage - best.coverage,
    bestCoverage,
    entity,
    date,
    asks,
    words,
  ],
};

/** Logistic function of the weighted features; `offset` is added to their sum. */
export function probability(
  weights: readonly number[],
  values: readonly number[],
  offset = 0,
): number {
  let sum = offset;
  for (const [place, value] of values.entries()) sum += (weights[place] as number) * value;
  return 1 / (1 + Math.exp(-sum));
}

/**
 * Coefficients of the features. Printed by `bench/fit-relevance.ts`, fitted on development halves of LoCoMo, CoSQA, CACM and five
 * sets of project notes.
 */
const COEFFICIENTS: Readonly<Record<Form, readonly number[]>> = {
  turn: [-4.71, 0.843, 1.714, -0.953, 0.795, -0.2],
  statement: [
    -4.22, 0.953, -0.833, -0.555, 0.086, 1.118, -0.62, 1.4, 0.575, 1.69, 0.218, -0.517, 0.392,
  ],
  text: [-3.664, 2.423, 0.244, 2.498, -0.076, 1.619, 0.674, -0.486, -0.163],
};

/** Probability that an item is relevant which contains every word of the query. */
const RELEVANCE_OF_ALL_WORDS = 0.35;

/** The probability that an item is relevant to the query, 0..1. */
export function relevanceOf(item: ItemMeasures, query: QueryMeasures): number {
  const form = formOf(item);
  if (form !== "turn" && !hasOwnEvidence(item, query)) return 0;
  const all = RELEVANCE_OF_ALL_WORDS * Math.min(1, item.coverage) ** 3;
  const best = Math.max(all, estimate(form, item, query));
  // Without vectors little flows between turns, so that a turn's own words count as well.
  const isTextOnly = form === "turn" && query.vectors === undefined;
  return isTextOnly ? Math.max(best, estimate("text", item, query)) : best;
}

/** True if the item shares a word, an entity or a date with the query, or is more similar than unrelated texts. */
function hasOwnEvidence(item: ItemMeasures, { vectors }: QueryMeasures): boolean {
  if (item.coverage > 0 || item.entity > 0 || item.date > 0 || item.standing > 0) return true;
  return aboveBackground(item.cosine, vectors?.vector) > 1 || similarityOf(item, vectors) > 1;
}

function estimate(form: Form, item: ItemMeasures, query: QueryMeasures): number {
  return probability(
    COEFFICIENTS[form],
    FEATURES[form].map((feature) => feature(item, query)),
    form === "turn" ? 0 : item.voice + item.steps + item.standing,
  );
}
