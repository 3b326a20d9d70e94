import {
  type CountedTokens,
  computeCost,
  type FailedAttempt,
  type ModelAnswer,
  type ModelClient,
} from "../../llm/index.ts";
import { CairnError, invalidInput } from "../../shared/errors.ts";
import { randomIds } from "../../shared/ids.ts";
import type { PartSpent, TokenUsage } from "../ports/events.ts";
import { estimateMessagesTokens, estimateTextTokens } from "./context-gauge.ts";

type ModelRequest = Parameters<ModelClient["answer"]>[0];

const NO_USAGE = { inputTokens: 0, outputTokens: 0, cachedTokens: 0, cacheWriteTokens: 0 };
/** Output tokens reserved for one request under a limit, and sent as its output limit. */
const MAX_RESERVED_OUTPUT = 16_000;
/** A request with fewer is not sent: the limit is reached. */
const MIN_OUTPUT = 500;
/** Safety factor of the estimated input. */
const INPUT_MARGIN = 1.25;

export interface SpendingLimits {
  /** US dollars. */
  readonly maxCost?: number | undefined;
  /** Input and output together. */
  readonly maxTokens?: number | undefined;
}

/** Tokens of one request; dollars are null if no price is known. */
export interface Spent {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly dollars: number | null;
}

export interface SpendingLog {
  reserved(id: string, limit: Spent): void;
  /** `certain`: counted by the provider; else the maximum that it may have cost. */
  used(id: string, spent: Spent, certain: boolean): void;
}

export class SpendingLimitReached extends CairnError {}

/**
 * Tracks the cost of requests of a thread and its subagents. With a limit, each attempt reserves
 * its maximum cost and limits its output tokens accordingly, so the limit is never exceeded.
 */
export class Spending {
  readonly #limits: SpendingLimits;
  readonly #log: SpendingLog | undefined;
  readonly #open = new Map<string, Spent>();
  #dollars: number;
  #tokens: number;
  #isKnown = true;
  #unreported: Required<CountedTokens> = NO_USAGE;

  constructor(
    limits: SpendingLimits = {},
    { log, before }: { readonly log?: SpendingLog; readonly before?: Spent } = {},
  ) {
    this.#limits = limits;
    this.#log = log;
    this.#dollars = before?.dollars ?? 0;
    this.#tokens = (before?.inputTokens ?? 0) + (before?.outputTokens ?? 0);
  }

  /** Counts every attempt. Throws `SpendingLimitReached` before a limit is exceeded. */
  async answer(client: ModelClient, request: ModelRequest): Promise<ModelAnswer> {
    let id = this.#reserve(client, request);
    const maxOutput = this.#open.get(id)?.outputTokens;
    try {
      const answer = await client.answer({
        ...request,
        ...(this.#isLimited && maxOutput !== undefined && { maxOutputTokens: maxOutput }),
        onFailedAttempt: (failure) => {
          this.#settleFailure(client, id, failure);
          request.onFailedAttempt?.(failure);
        },
        onNextAttempt: () => {
          id = this.#reserve(client, request, maxOutput);
          request.onNextAttempt?.();
        },
      });
      this.#settle(id, sumSpent(client, answer.usage), true);
      this.record(client, answer.usage);
      return answer;
    } catch (error) {
      const failure = (error as { failedAttempt?: FailedAttempt }).failedAttempt;
      this.#settleFailure(client, id, failure ?? { isBilled: request.signal.aborted });
      throw error;
    }
  }

  /** Usage since the last report, including subagents and summaries. */
  takeReport(): TokenUsage {
    const { inputTokens, outputTokens, cachedTokens, cacheWriteTokens } = this.#unreported;
    this.#unreported = NO_USAGE;
    return {
      inputTokens,
      outputTokens,
      ...(this.#isKnown && { cost: this.#dollars }),
      ...(cachedTokens > 0 && { cachedTokens }),
      ...(cacheWriteTokens > 0 && { cacheWriteTokens }),
    };
  }

  /** Usage at the end of a run; undefined if nothing was counted since the last report. */
  takeRest(): TokenUsage | undefined {
    const { inputTokens, outputTokens } = this.#unreported;
    return inputTokens + outputTokens === 0 ? undefined : this.takeReport();
  }

  protected record({ price }: Pick<ModelClient, "price">, usage: CountedTokens): void {
    const { inputTokens, outputTokens, cachedTokens, cacheWriteTokens } = this.#unreported;
    this.#unreported = {
      inputTokens: inputTokens + usage.inputTokens,
      outputTokens: outputTokens + usage.outputTokens,
      cachedTokens: cachedTokens + (usage.cachedTokens ?? 0),
      cacheWriteTokens: cacheWriteTokens + (usage.cacheWriteTokens ?? 0),
    };
    if (price === undefined) this.#isKnown = false;
  }

  get #isLimited(): boolean {
    return this.#limits.maxCost !== undefined || this.#limits.maxTokens !== undefined;
  }

  #reserve(client: ModelClient, request: ModelRequest, output = MAX_RESERVED_OUTPUT): string {
    const { system, messages, tools } = request;
    const sent =
      estimateTextTokens(system) +
      estimateMessagesTokens(messages) +
      estimateTextTokens(JSON.stringify(tools));
    const inputTokens = Math.ceil(sent * INPUT_MARGIN);
    const outputTokens = Math.min(output, this.#affordableOutput(client, inputTokens));
    const id = randomIds.next("request_");
    const reserved = sumSpent(client, { inputTokens, outputTokens });
    this.#open.set(id, reserved);
    this.#log?.reserved(id, reserved);
    return id;
  }

  /** Throws `SpendingLimitReached` if no useful answer fits the limits. */
  #affordableOutput({ price, model }: ModelClient, inputTokens: number): number {
    const { maxCost, maxTokens } = this.#limits;
    const open = [...this.#open.values()];
    let remaining = Number.POSITIVE_INFINITY;
    if (maxTokens !== undefined) {
      const reserved = open.reduce((sum, one) => sum + one.inputTokens + one.outputTokens, 0);
      remaining = maxTokens - this.#tokens - reserved - inputTokens;
      if (remaining < MIN_OUTPUT) {
        throw limitReached(
          `${this.#tokens} of ${maxTokens} tokens are used, and the next request needs about ${inputTokens}. Raise "maxTokens" (--max-tokens) to continue.`,
        );
      }
    }
    if (maxCost === undefined) return remaining;
    if (price === undefined) {
      throw invalidInput(
        `maxCost: no price is known for ${model}, so the limit cannot be enforced. Set one in "prices" in the config.`,
      );
    }
    const reserved = open.reduce((sum, one) => sum + (one.dollars ?? 0), 0);
    // A provider may bill the whole prompt as written to its cache.
    const perInput = Math.max(price.input, price.cacheWrite ?? 0);
    const left = maxCost - this.#dollars - reserved - (inputTokens * perInput) / 1_000_000;
    const affordable =
      price.output === 0 ? remaining : Math.floor((left * 1_000_000) / price.output);
    if (left >= 0 && affordable >= MIN_OUTPUT) return Math.min(remaining, affordable);
    throw limitReached(
      `$${this.#dollars.toFixed(2)} of $${maxCost} is spent, and the next request could exceed the limit. Raise "maxCost" (--max-cost) to continue.`,
    );
  }

  /** An attempt that may have been billed counts with its maximum cost. */
  #settleFailure(client: ModelClient, id: string, failure: FailedAttempt): void {
    const reserved = this.#open.get(id);
    if (reserved === undefined) return;
    const spent = failure.isBilled ? reserved : sumSpent(client, NO_USAGE);
    this.#settle(id, spent, !failure.isBilled);
  }

  #settle(id: string, spent: Spent, certain: boolean): void {
    this.#open.delete(id);
    this.#tokens += spent.inputTokens + spent.outputTokens;
    this.#dollars += spent.dollars ?? 0;
    this.#log?.used(id, spent, certain);
  }
}

/** Counts for a part of the work and for the whole. */
export class DelegatedSpending extends Spending {
  readonly #full: Spending;
  #spent: Required<CountedTokens> = NO_USAGE;
  #dollars: number | undefined = 0;

  constructor(full: Spending) {
    super();
    this.#full = full;
  }

  takeSpent(): PartSpent {
    const { inputTokens, outputTokens } = this.#spent;
    return {
      inputTokens,
      outputTokens,
      ...(this.#dollars !== undefined && { cost: this.#dollars }),
    };
  }

  override takeReport() {
    return this.#full.takeReport();
  }

  override takeRest() {
    return this.#full.takeRest();
  }

  override async answer(client: ModelClient, request: ModelRequest): Promise<ModelAnswer> {
    const answer = await this.#full.answer(client, request);
    const { inputTokens, outputTokens } = answer.usage;
    this.#spent = {
      ...this.#spent,
      inputTokens: this.#spent.inputTokens + inputTokens,
      outputTokens: this.#spent.outputTokens + outputTokens,
    };
    const { dollars } = sumSpent(client, answer.usage);
    this.#dollars =
      dollars === null || this.#dollars === undefined ? undefined : this.#dollars + dollars;
    return answer;
  }
}

export function countedClient(client: ModelClient, spending: Spending): ModelClient {
  return {
    ...client,
    withModel: (model) => countedClient(client.withModel(model), spending),
    withEffort: (effort) => countedClient(client.withEffort(effort), spending),
    answer: (request) => spending.answer(client, request),
  };
}

function sumSpent({ price }: Pick<ModelClient, "price">, usage: CountedTokens): Spent {
  const { inputTokens, outputTokens } = usage;
  return {
    inputTokens,
    outputTokens,
    dollars: price === undefined ? null : computeCost(usage, price),
  };
}

function limitReached(message: string): SpendingLimitReached {
  return new SpendingLimitReached("conflict", `The run was stopped: ${message}`);
}
