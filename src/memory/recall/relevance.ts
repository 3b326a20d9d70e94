import type { SimilarityBackground } from "../../embedding/index.ts";
import { topK } from "../../shared/collections.ts";

export interface ItemMeasures {
  readonly cosine?: number | undefined;
  readonly similarity?: number | undefined;
  readonly coverage: number;
  readonly rarity: number;
  readonly containedWords: number;
  readonly entity: number;
  readonly question: number;
  readonly date: number;
  readonly activation: number;
  /** Part of a turn's activation from its speaker, step order and standing instructions. */
  readonly voice: number;
  readonly steps: number;
  readonly standing: number;
  readonly isTurn: boolean;
  /** True for a rule that rejects a rare word of the query. */
  readonly isRejecting?: boolean;
}

export interface QueryMeasures {
  readonly words: number;
  readonly vectors: Backgrounds | undefined;
  readonly best: {
    readonly cosine: number;
    readonly similarity: number;
    readonly coverage: number;
    readonly activation: number;
  };
  /** Highest activation of a turn with less than `MIN_WORD_RATIO` of the query's word weight. */
  readonly activationWithoutMostWords: number;
  /** Match distribution of the best items, by all measures and by words alone. */
  readonly field: { readonly all: ScoreField; readonly text: ScoreField };
}

interface ScoreField {
  readonly mean: number;
  /** Log-sum-exp of the matches. */
  readonly sum: number;
}

export interface Backgrounds {
  readonly vector: SimilarityBackground;
  readonly tokens: SimilarityBackground | undefined;
}

export type ItemForm = "turn" | "statement" | "text";

export function classifyItem({
  isTurn,
  cosine,
}: Pick<ItemMeasures, "isTurn" | "cosine">): ItemForm {
  if (isTurn) return "turn";
  return cosine === undefined ? "text" : "statement";
}

/** Normalizes similarity: 0 for unrelated texts, 1 for the noise level above them. */
function subtractBackground(
  value: number | undefined,
  background: SimilarityBackground | undefined,
): number {
  if (value === undefined || background === undefined) return 0;
  return (value - background.mean) / Math.max(background.noise - background.mean, 1e-6);
}

const COVERAGE_WEIGHT = 2;

/** An item without a vector is measured by its words alone. */
function ownMatchScore(item: ItemMeasures, vectors: Backgrounds | undefined): number {
  return (
    subtractBackground(item.cosine, vectors?.vector) +
    computeSimilarity(item, vectors) +
    COVERAGE_WEIGHT * item.coverage
  );
}

/** Number of items whose matches are compared, padded with zero matches. */
const FIELD_SIZE = 20;
const FIELD_SHARPNESS = 2;

function createField(matches: readonly number[]): ScoreField {
  const best = topK(matches, FIELD_SIZE, (a, b) => b - a);
  while (best.length < FIELD_SIZE) best.push(0);
  const sum = best.reduce((total, match) => total + Math.exp(FIELD_SHARPNESS * match), 0);
  return { mean: best.reduce((total, match) => total + match, 0) / FIELD_SIZE, sum: Math.log(sum) };
}

export function computeQueryMeasures(
  items: Iterable<ItemMeasures>,
  { words, vectors }: Pick<QueryMeasures, "words" | "vectors">,
): QueryMeasures {
  const all = [...items];
  const maxMeasure = (measure: (item: ItemMeasures) => number) =>
    all.reduce((best, item) => Math.max(best, measure(item)), 0);
  return {
    words,
    vectors,
    best: {
      cosine: maxMeasure(({ cosine }) => subtractBackground(cosine, vectors?.vector)),
      similarity: maxMeasure((item) => computeSimilarity(item, vectors)),
      coverage: maxMeasure((item) => item.coverage),
      activation: maxMeasure((item) => item.activation),
    },
    activationWithoutMostWords: maxMeasure((item) =>
      item.isTurn && item.coverage < MIN_WORD_RATIO ? item.activation : 0,
    ),
    field: {
      all: createField(all.map((item) => ownMatchScore(item, vectors))),
      text: createField(all.map((item) => COVERAGE_WEIGHT * item.coverage)),
    },
  };
}

/** Without tokens the vector is used instead. */
function computeSimilarity(item: ItemMeasures, vectors: Backgrounds | undefined): number {
  return item.similarity === undefined || vectors?.tokens === undefined
    ? subtractBackground(item.cosine, vectors?.vector)
    : subtractBackground(item.similarity, vectors.tokens);
}

type FeatureFunction = (item: ItemMeasures, query: QueryMeasures) => number;

const MAX_CONTAINED_WORDS = 20;
const constant: FeatureFunction = () => 1;
const containedWords: FeatureFunction = (item) =>
  Math.min(item.containedWords, MAX_CONTAINED_WORDS);
const coverage: FeatureFunction = (item) => item.coverage;
const bestCosine: FeatureFunction = (_, { best }) => best.cosine;
const bestSimilarity: FeatureFunction = (_, { best }) => best.similarity;
const bestCoverage: FeatureFunction = (_, { best }) => best.coverage;
const entity: FeatureFunction = (item) => item.entity;
const date: FeatureFunction = (item) => item.date;
const isQuestionFeature: FeatureFunction = (item) => (item.question < 0 ? 1 : 0);
const queryLengthFeature: FeatureFunction = (_, query) => Math.log(1 + query.words);
const cosine: FeatureFunction = (item, { vectors }) =>
  subtractBackground(item.cosine, vectors?.vector);
const similarity: FeatureFunction = (item, { vectors }) => computeSimilarity(item, vectors);
const rarity: FeatureFunction = (item) => item.rarity;
/** Log of the item's share of the best items' matches. */
const fieldShareFeature: FeatureFunction = (item, { vectors, field }) =>
  FIELD_SHARPNESS * ownMatchScore(item, vectors) - field.all.sum;
const aboveMean: FeatureFunction = (item, { vectors, field }) =>
  ownMatchScore(item, vectors) - field.all.mean;
const shareOfWords: FeatureFunction = (item, { field }) =>
  FIELD_SHARPNESS * COVERAGE_WEIGHT * item.coverage - field.text.sum;
const wordsAboveMean: FeatureFunction = (item, { field }) =>
  COVERAGE_WEIGHT * item.coverage - field.text.mean;

/** Features of each form, in the order of its coefficients. */
export const FEATURES: Readonly<Record<ItemForm, readonly FeatureFunction[]>> = {
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
    cosine,
    similarity,
    coverage,
    rarity,
    containedWords,
    entity,
    date,
    isQuestionFeature,
    queryLengthFeature,
    fieldShareFeature,
    aboveMean,
  ],
  text: [
    constant,
    coverage,
    rarity,
    containedWords,
    entity,
    date,
    isQuestionFeature,
    queryLengthFeature,
    shareOfWords,
    wordsAboveMean,
  ],
};

export function computeProbability(
  weights: readonly number[],
  values: readonly number[],
  offset = 0,
): number {
  let sum = offset;
  for (const [index, value] of values.entries()) sum += (weights[index] as number) * value;
  return 1 / (1 + Math.exp(-sum));
}

/** Printed by `bench/fit-relevance.ts`; fitted on project notes, LoCoMo, CoSQA and CACM. */
const COEFFICIENTS: Readonly<Record<ItemForm, readonly number[]>> = {
  turn: [-4.71, 0.843, 1.714, -0.953, 0.795, -0.2],
  statement: [-3.955, 0.588, -0.383, -0.662, -0.617, 0.136, 1.082, 0.299, -0.571, 0.33, 0.102, 1.4],
  text: [2.79, -0.215, 0.468, 0.184, 1.163, 0.288, -0.668, -0.008, 2.274, -0.33],
};

/** Minimum probability of items with a measured match that recall returns by default. */
export const MIN_RETURNED = 0.12;

/**
 * Minimum probability of an item with most of the query's word weight, such as its one rare term,
 * regardless of similarity. In CoSQA and CACM a third of such items are relevant. For a turn with
 * vectors it is the lowest value that recall returns, and only turns with a higher activation than
 * every turn without most of the weight get it, so that turns stay ordered by activation.
 */
const MIN_RELEVANCE_OF_MOST_WORDS: Readonly<Record<ItemForm, number>> = {
  statement: 0.35,
  text: 0.35,
  turn: MIN_RETURNED,
};
const MIN_WORD_RATIO = 0.75;
/** Lowest probability for a rule that rejects a rare word of the query. In five sets of project notes 18 of 20 such rules are relevant. */
const MIN_RELEVANCE_OF_REJECTING = 0.7;

export function computeRelevance(item: ItemMeasures, query: QueryMeasures): number {
  const form = classifyItem(item);
  if (form !== "turn" && !hasOwnEvidence(item, query)) return 0;
  // Without vectors little activation is propagated between turns, so words count too.
  const isTextOnly = form === "turn" && query.vectors === undefined;
  const estimated = isTextOnly
    ? Math.max(estimateRelevance("turn", item, query), estimateRelevance("text", item, query))
    : estimateRelevance(form, item, query);
  if (item.isRejecting === true && form !== "turn") {
    return Math.max(MIN_RELEVANCE_OF_REJECTING, estimated);
  }
  if (item.coverage < MIN_WORD_RATIO) return estimated;
  // A minimum for a turn below one without those words would reorder them.
  if (form === "turn" && !isTextOnly && item.activation <= query.activationWithoutMostWords) {
    return estimated;
  }
  return Math.max(MIN_RELEVANCE_OF_MOST_WORDS[isTextOnly ? "text" : form], estimated);
}

/** Returns true if the item shares a word, entity or date, or has above-average similarity. */
function hasOwnEvidence(item: ItemMeasures, { vectors }: QueryMeasures): boolean {
  if (item.coverage > 0 || item.entity > 0 || item.date > 0 || item.standing > 0) return true;
  return (
    subtractBackground(item.cosine, vectors?.vector) > 0 || computeSimilarity(item, vectors) > 0
  );
}

function estimateRelevance(form: ItemForm, item: ItemMeasures, query: QueryMeasures): number {
  return computeProbability(
    COEFFICIENTS[form],
    FEATURES[form].map((feature) => feature(item, query)),
    form === "turn" ? 0 : item.voice + item.steps + item.standing,
  );
}
