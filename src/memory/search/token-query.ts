import { normalise, type Reading, type TokenReading } from "../../embedding/index.ts";
import { isStopWord } from "./query-words.ts";

/** What a function word or a mark counts beside a word: it places the others, and says little. */
const MINOR_WEIGHT = 0.3;
const WORDLESS = /^[^\p{L}\p{N}]*$/u;

/**
 * A query ready to be compared with stored token signs (late interaction, Khattab and Zaharia
 * 2020): each of its tokens looks for the most similar one of the text, and the weighted mean of
 * what they find is the similarity. Signs stand for vectors of length one.
 */
export class TokenQuery {
  /** Bytes of the signs of one token. */
  readonly #bytes: number;
  /** For each token of the query, each byte of signs and each value of it: the sum over its 8 bits. */
  readonly #sums: readonly Float32Array[];
  readonly #weights: readonly number[];
  readonly #totalWeight: number;

  constructor({ tokens }: Reading) {
    this.#bytes = Math.ceil((tokens[0]?.vector.length ?? 0) / 8);
    this.#sums = tokens.map(({ vector }) => sumsOf(normalise(vector), this.#bytes));
    this.#weights = tokens.map(weightOf);
    this.#totalWeight = this.#weights.reduce((sum, weight) => sum + weight, 0);
  }

  /** -1..1; undefined for a text or a query without tokens. */
  similarity(signs: Uint8Array): number | undefined {
    if (signs.length === 0 || this.#totalWeight === 0) return undefined;
    let total = 0;
    for (const [token, sums] of this.#sums.entries()) {
      total += (this.#weights[token] ?? 0) * mostSimilar(sums, signs, this.#bytes);
    }
    return total / this.#totalWeight;
  }
}

/** The best dot product of one token of the query with the tokens of a text. */
function mostSimilar(sums: Float32Array, signs: Uint8Array, bytes: number): number {
  let best = -1;
  for (let start = 0; start + bytes <= signs.length; start += bytes) {
    let sum = 0;
    for (let index = 0; index < bytes; index += 1) {
      sum += sums[index * 256 + (signs[start + index] as number)] as number;
    }
    if (sum > best) best = sum;
  }
  return best;
}

/** Each value of a byte is one with a bit less, and twice what that bit stands for. */
function sumsOf(vector: Float32Array, bytes: number): Float32Array {
  const sums = new Float32Array(bytes * 256);
  const scale = 1 / Math.sqrt(vector.length);
  for (let index = 0; index < bytes; index += 1) {
    const at = (bit: number) => (vector[index * 8 + bit] ?? 0) * scale;
    let none = 0;
    for (let bit = 0; bit < 8; bit += 1) none -= at(bit);
    sums[index * 256] = none;
    for (let value = 1; value < 256; value += 1) {
      const bit = 31 - Math.clz32(value);
      const less = sums[index * 256 + value - 2 ** bit] ?? 0;
      sums[index * 256 + value] = less + 2 * at(bit);
    }
  }
  return sums;
}

function weightOf({ text }: TokenReading): number {
  return isStopWord(text) || WORDLESS.test(text) ? MINOR_WEIGHT : 1;
}
