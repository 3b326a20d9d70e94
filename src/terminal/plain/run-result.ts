import type { AgentEvent, TokenUsage } from "../../agent/index.ts";

/** The last line of a run for programs. */
export interface RunResult {
  readonly type: "result";
  readonly outcome: "completed" | "failed" | "aborted";
  /** The last answer. */
  readonly text: string;
  /** Tokens of all requests, as the provider counted them. */
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number };
  /** US dollars; null where the price is not known. */
  readonly cost: number | null;
  readonly duration_ms: number;
  /** For `cairn --resume`; null where none was begun. */
  readonly session: string | null;
  readonly errors: readonly string[];
}

/** Collects what a run came to from its events. */
export class RunSummary {
  readonly #startedAt = Date.now();
  readonly #errors: string[] = [];
  #text = "";
  #usage = { inputTokens: 0, outputTokens: 0 };
  /** Null until something was counted, and once a request had no price. */
  #cost: number | null = null;
  #isAborted = false;
  session: string | null = null;

  add(event: AgentEvent): void {
    if (event.type === "error") this.fail(event.message);
    if (event.type === "status") {
      if (event.phase === "aborted") this.#isAborted = true;
      this.#count(event.usage);
    }
    if (event.type !== "assistant.done") return;
    this.#count(event.usage);
    if (event.contextLabel === undefined) this.#text = event.text;
  }

  #count(usage: TokenUsage | undefined): void {
    if (usage === undefined) return;
    this.#cost = usage.cost ?? null;
    this.#usage = {
      inputTokens: this.#usage.inputTokens + usage.inputTokens,
      outputTokens: this.#usage.outputTokens + usage.outputTokens,
    };
  }

  fail(message: string): void {
    this.#errors.push(message);
  }

  result(): RunResult {
    const failed = this.#errors.length > 0 ? "failed" : "completed";
    return {
      type: "result",
      outcome: this.#isAborted ? "aborted" : failed,
      text: this.#text,
      usage: this.#usage,
      cost: this.#cost,
      duration_ms: Date.now() - this.#startedAt,
      session: this.session,
      errors: this.#errors,
    };
  }
}
