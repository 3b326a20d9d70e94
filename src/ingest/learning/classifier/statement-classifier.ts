import { FEATURE_PLACES, type PlacedSentence, statementFeatures } from "./statement-features.ts";
import {
  HEADS,
  type Head,
  readStatementWeights,
  type StatementWeights,
} from "./statement-weights.ts";

/** How likely each is, from 0 to 1. */
export type StatementScores = Readonly<Record<Head, number>>;

/** Tells what a sentence says by weights that were trained on labelled ones of ten languages. */
export class StatementClassifier {
  readonly #weights: StatementWeights;

  constructor(weights: StatementWeights = readStatementWeights()) {
    this.#weights = weights;
  }

  scores(sentence: PlacedSentence): StatementScores {
    const features = statementFeatures(sentence);
    const { scales, biases, places } = this.#weights;
    const share = 1 / Math.sqrt(features.length);
    const score = (_: Head, head: number): number => {
      let sum = 0;
      for (const place of features) sum += places[head * FEATURE_PLACES + place] ?? 0;
      return sigmoid(sum * (scales[head] ?? 0) * share + (biases[head] ?? 0));
    };
    const found = HEADS.map((name, head) => [name, score(name, head)] as const);
    return Object.fromEntries(found) as Record<Head, number>;
  }
}

export const sigmoid = (sum: number): number => 1 / (1 + Math.exp(-sum));
