import { normalise, type Reading, type TokenReading } from "../../embedding/index.ts";
import { isStopWord } from "./query-words.ts";
import { type BestProducts, bestProducts } from "./simd/best-products.ts";

const MINOR_WEIGHT = 0.3;
const WORDLESS = /^[^\p{L}\p{N}]*$/u;

/**
 * A query prepared for comparison with stored token signs (late interaction, Khattab and Zaharia 2020): each
 * of its tokens finds the most similar token of the text, and the similarity is the weighted mean of these.
 * Signs stand for vectors of length one.
 */
export class TokenQuery {
  readonly reading: Reading;
  readonly #bestProducts: BestProducts;
  readonly #weights: readonly number[];
  readonly #totalWeight: number;

  constructor(reading: Reading) {
    const { tokens } = reading;
    this.reading = reading;
    const bytes = Math.ceil((tokens[0]?.vector.length ?? 0) / 8);
    const vectors = tokens.map(({ vector }) => normalise(vector));
    this.#bestProducts = bestProducts(vectors, bytes);
    this.#weights = tokens.map(weightOf);
    this.#totalWeight = this.#weights.reduce((sum, weight) => sum + weight, 0);
  }

  /** The similarity of each text, -1..1; undefined for a text or a query without tokens. */
  similarities(texts: readonly Uint8Array[]): (number | undefined)[] {
    if (this.#totalWeight === 0) return texts.map(() => undefined);
    const best = this.#bestProducts(texts);
    return texts.map(({ length }, text) => {
      if (length === 0) return undefined;
      let total = 0;
      for (const [token, weight] of this.#weights.entries()) {
        total += weight * (best[text * this.#weights.length + token] as number);
      }
      return total / this.#totalWeight;
    });
  }
}

function weightOf({ text }: TokenReading): number {
  return isStopWord(text) || WORDLESS.test(text) ? MINOR_WEIGHT : 1;
}
