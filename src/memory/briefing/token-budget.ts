/**
 * Bytes of UTF-8 that are counted as one token. English has more than four, source text and ids
 * about three, Chinese between three and four, so that a budget is kept without a tokenizer.
 */
const BYTES_PER_TOKEN = 3;

/** Lines as long as they fit into a number of tokens, at the least estimate. */
export class TokenBudget {
  #left: number;

  constructor(tokens: number) {
    this.#left = tokens * BYTES_PER_TOKEN;
  }

  /** Bytes that are left, the end of a line counted. */
  get left(): number {
    return Math.max(0, this.#left - 1);
  }

  /** True if the line still fits; if so, it is counted. */
  take(line: string): boolean {
    const bytes = Buffer.byteLength(line) + 1;
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }
}
