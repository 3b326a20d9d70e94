/**
 * UTF-8 bytes counted as one token. English averages more than four, code and ids about three,
 * Chinese three to four. Underestimating enforces the budget without a tokenizer.
 */
const BYTES_PER_TOKEN = 3;

/** Tracks how many lines fit into a token budget, using a conservative estimate. */
export class TokenBudget {
  #left: number;

  constructor(tokens: number) {
    this.#left = tokens * BYTES_PER_TOKEN;
  }

  /** Remaining bytes, including the line break. */
  get left(): number {
    return Math.max(0, this.#left - 1);
  }

  /** Consumes the line from the budget. Returns false if it does not fit. */
  take(line: string): boolean {
    const bytes = Buffer.byteLength(line) + 1;
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }
}
