import { CairnError, invalidInput } from "../../kernel/errors.ts";
import { type CountedTokens, costOf, type ModelClient } from "../../llm/index.ts";
import type { TokenUsage } from "../ports/events.ts";

/** What the requests of a thread and its subagents have cost since it was opened. */
export class Spending {
  readonly #most: number | undefined;
  #dollars = 0;
  #isKnown = true;
  /** Since it was reported last. */
  #cached = { cachedTokens: 0, cacheWriteTokens: 0 };

  /** `most` in US dollars; undefined: no limit. */
  constructor(most: number | undefined) {
    this.#most = most;
  }

  /** For the next report of usage: the sum where prices are known, and what the cache gave since. */
  takeReport(): Pick<TokenUsage, "cost" | "cachedTokens" | "cacheWriteTokens"> {
    const { cachedTokens, cacheWriteTokens } = this.#cached;
    this.#cached = { cachedTokens: 0, cacheWriteTokens: 0 };
    return {
      ...(this.#isKnown && { cost: this.#dollars }),
      ...(cachedTokens > 0 && { cachedTokens }),
      ...(cacheWriteTokens > 0 && { cacheWriteTokens }),
    };
  }

  record({ price }: Pick<ModelClient, "price">, usage: CountedTokens): void {
    this.#cached.cachedTokens += usage.cachedTokens ?? 0;
    this.#cached.cacheWriteTokens += usage.cacheWriteTokens ?? 0;
    if (price === undefined) this.#isKnown = false;
    else this.#dollars += costOf(usage, price);
  }

  /** Before a request: throws when the limit is reached, or cannot be kept. */
  check({ price, model }: Pick<ModelClient, "price" | "model">): void {
    if (this.#most === undefined) return;
    if (price === undefined) {
      throw invalidInput(
        `"maxCost" cannot be kept: no price is known for ${model}. "prices" in the config gives one.`,
      );
    }
    if (this.#dollars < this.#most) return;
    throw new CairnError(
      "conflict",
      `The run was stopped: it has cost $${this.#dollars.toFixed(2)}, and "maxCost" is $${this.#most}. ` +
        "Raise it (--max-cost) to go on.",
    );
  }
}
