import { type CountedTokens, costOf, type ModelClient } from "../../llm/index.ts";
import { CairnError, invalidInput } from "../../shared/errors.ts";
import type { TokenUsage } from "../ports/events.ts";

const NONE = { inputTokens: 0, outputTokens: 0, cachedTokens: 0, cacheWriteTokens: 0 };

/** What the requests of a thread and its subagents have cost since it was opened. */
export class Spending {
  readonly #most: number | undefined;
  #dollars = 0;
  #isKnown = true;
  /** Tokens since they were reported last. */
  #unreported: Required<CountedTokens> = NONE;

  /** `most` in US dollars; undefined: no limit. */
  constructor(most: number | undefined) {
    this.#most = most;
  }

  /**
   * For the next report of usage: what was counted since the last one, by subagents and summaries
   * too, and the sum of dollars where prices are known.
   */
  takeReport(): TokenUsage {
    const { inputTokens, outputTokens, cachedTokens, cacheWriteTokens } = this.#unreported;
    this.#unreported = NONE;
    return {
      inputTokens,
      outputTokens,
      ...(this.#isKnown && { cost: this.#dollars }),
      ...(cachedTokens > 0 && { cachedTokens }),
      ...(cacheWriteTokens > 0 && { cacheWriteTokens }),
    };
  }

  /** The same at the end of a run; undefined when nothing was counted since the last report. */
  takeRest(): TokenUsage | undefined {
    const { inputTokens, outputTokens } = this.#unreported;
    return inputTokens + outputTokens === 0 ? undefined : this.takeReport();
  }

  record({ price }: Pick<ModelClient, "price">, usage: CountedTokens): void {
    const { inputTokens, outputTokens, cachedTokens, cacheWriteTokens } = this.#unreported;
    this.#unreported = {
      inputTokens: inputTokens + usage.inputTokens,
      outputTokens: outputTokens + usage.outputTokens,
      cachedTokens: cachedTokens + (usage.cachedTokens ?? 0),
      cacheWriteTokens: cacheWriteTokens + (usage.cacheWriteTokens ?? 0),
    };
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
