import type { ModelAnswer, ModelClient } from "../../llm/index.ts";
import { toTimestamp } from "../../shared/clock.ts";
import { randomIds } from "../../shared/ids.ts";
import type { Journal } from "./journal.ts";
import type { NightClock } from "./night-clock.ts";
import { LimitReached, Loop } from "./night-limits.ts";
import { type NightState, spentOf } from "./night-state.ts";
import { failureOfModel } from "./passing-failure.ts";
import { countedUse, reserveFor, usedUntilCut } from "./request-reserve.ts";

/** Before the second, third … try, where the service names no time; then the last again. */
const WAITS_MS = [30_000, 60_000, 2 * 60_000, 5 * 60_000, 10 * 60_000, 15 * 60_000];
/** Between two looks at whether the files have changed; requests. */
const LOOK_EVERY = 5;

export interface GuardOptions {
  readonly task: string;
  readonly state: NightState;
  readonly journal: Journal;
  readonly clock: NightClock;
  readonly tell: (line: string) => void;
  /** Of the files that the task changes; undefined: nobody looks. */
  readonly signOfFiles: () => Promise<string>;
  /** Throws LimitReached where the disk is used up. */
  readonly checkDisk: () => Promise<void>;
  /** The task is over: why is kept, whatever the run makes of the error. */
  readonly onEnd: (error: LimitReached | Loop) => void;
}

/**
 * Every request of one task goes through it: it keeps to the limits, sets money aside before it is
 * asked for, counts each answer once, and waits for a service that has too much to do or is away.
 */
export class RequestGuard {
  readonly #options: GuardOptions;
  #sign = "";
  #changedAt = 0;

  constructor(options: GuardOptions) {
    this.#options = options;
  }

  around(client: ModelClient): ModelClient {
    return {
      ...client,
      withModel: (model) => this.around(client.withModel(model)),
      withEffort: (effort) => this.around(client.withEffort(effort)),
      answer: (request) => this.#answer(client, request),
    };
  }

  async #answer(
    client: ModelClient,
    request: Parameters<ModelClient["answer"]>[0],
  ): Promise<ModelAnswer> {
    const { clock, journal, task } = this.#options;
    let awaySince: number | undefined;
    for (let tries = 0; ; tries += 1) {
      await this.#ended(() => this.#check());
      const id = await this.#ended(async () => this.#reserve(client, request));
      let said = "";
      try {
        const answer = await client.answer({
          ...request,
          onText: (text) => {
            said += text;
            request.onText?.(text);
          },
          ...(request.onRestart !== undefined && {
            onRestart: () => {
              said = "";
              request.onRestart?.();
            },
          }),
        });
        journal.add({
          is: "counted",
          task,
          request: id,
          used: countedUse(client, answer.usage),
          ok: true,
        });
        return answer;
      } catch (error) {
        const used =
          said === "" ? countedUse(client, NOTHING) : usedUntilCut(client, request, said);
        journal.add({ is: "counted", task, request: id, used, ok: false });
        request.signal.throwIfAborted();
        const failure = failureOfModel(error, clock.now());
        if (failure.kind === "refused") {
          throw this.#over(
            new LimitReached("service", `The model service refuses: ${failure.reason}`),
          );
        }
        const canRepeat = said === "" || request.onRestart !== undefined;
        if (failure.kind === "other" || !canRepeat) throw error;
        awaySince ??= clock.now().getTime();
        const wait = failure.afterMs ?? WAITS_MS[Math.min(tries, WAITS_MS.length - 1)] ?? 0;
        await this.#ended(() =>
          this.#wait({ ...failure, wait, awaySince: awaySince ?? 0 }, request),
        );
        if (said !== "") request.onRestart?.();
      }
    }
  }

  async #wait(
    { reason, wait, awaySince }: { reason: string; wait: number; awaySince: number },
    { signal, onRetry }: Parameters<ModelClient["answer"]>[0],
  ): Promise<void> {
    const { clock, journal, state, task, tell } = this.#options;
    const { outageHours } = state.options.limits;
    const until = new Date(clock.now().getTime() + wait);
    const least = Math.max(outageHours * HOUR_MS, 0);
    if (until.getTime() - awaySince > least) {
      throw new LimitReached(
        "outageHours",
        `The model has not answered for longer than ${outageHours} h (${reason}).`,
      );
    }
    journal.add({ is: "waited", task, until: toTimestamp(until), reason });
    const line = `waits for the model until ${toTimestamp(until).slice(0, 16)}Z (${reason})`;
    tell(line);
    onRetry?.(line);
    await clock.until(until, signal);
  }

  /** Before each request. */
  async #check(): Promise<void> {
    const { clock, state, task, checkDisk, signOfFiles } = this.#options;
    const { hours, turns, idleTurns } = state.options.limits;
    if (clock.now().getTime() >= deadlineOf(state)) {
      throw new LimitReached("hours", `The time is up: ${hours} h.`);
    }
    const requests = state.tasks.get(task)?.requests ?? 0;
    if (requests >= turns) {
      throw new LimitReached(
        "turns",
        `The task has asked the model ${requests} times, which is its limit.`,
      );
    }
    if (requests % LOOK_EVERY !== 0) return;
    await checkDisk();
    const sign = await signOfFiles();
    if (sign !== this.#sign) {
      this.#sign = sign;
      this.#changedAt = requests;
    } else if (requests - this.#changedAt >= idleTurns) {
      throw new Loop(`It asked the model ${requests - this.#changedAt} times and changed no file.`);
    }
  }

  /** Takes down what the request may cost, and refuses one that would go over a limit. */
  #reserve(client: ModelClient, request: Parameters<ModelClient["answer"]>[0]): string {
    const { state, journal, task } = this.#options;
    const { cost, tokens } = state.options.limits;
    const reserved = reserveFor(client, request);
    const spent = spentOf(state);
    if (cost !== undefined) {
      if (reserved.dollars === null) {
        throw new LimitReached(
          "cost",
          `The limit of money cannot be kept: no price is known for ${client.model}. "prices" in the config gives one.`,
        );
      }
      if (spent.dollars + reserved.dollars > cost) {
        throw new LimitReached(
          "cost",
          `$${spent.dollars.toFixed(2)} of $${cost} is spent, and the next request may cost $${reserved.dollars.toFixed(2)}.`,
        );
      }
    }
    const sum = spent.inputTokens + spent.outputTokens;
    if (tokens !== undefined && sum + reserved.inputTokens + reserved.outputTokens > tokens) {
      throw new LimitReached(
        "tokens",
        `${sum} of ${tokens} tokens are used, and the next request may take ${reserved.inputTokens + reserved.outputTokens}.`,
      );
    }
    const id = randomIds.next("ask_");
    journal.add({ is: "requested", task, request: id, reserved });
    return id;
  }

  async #ended<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw error instanceof LimitReached || error instanceof Loop ? this.#over(error) : error;
    }
  }

  #over<E extends LimitReached | Loop>(error: E): E {
    this.#options.onEnd(error);
    return error;
  }
}

const HOUR_MS = 60 * 60_000;
const NOTHING = { inputTokens: 0, outputTokens: 0 };

/** Milliseconds since 1970. */
export function deadlineOf({ begunAt, options }: NightState): number {
  return Date.parse(begunAt) + options.limits.hours * HOUR_MS;
}
