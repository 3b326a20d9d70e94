import type { AgentEvent } from "../../agent/index.ts";

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
  #isAborted = false;
  session: string | null = null;

  add(event: AgentEvent): void {
    if (event.type === "error") this.fail(event.message);
    if (event.type === "status" && event.phase === "aborted") this.#isAborted = true;
    if (event.type !== "assistant.done" || event.contextLabel !== undefined) return;
    this.#text = event.text;
    this.#usage = {
      inputTokens: this.#usage.inputTokens + (event.usage?.inputTokens ?? 0),
      outputTokens: this.#usage.outputTokens + (event.usage?.outputTokens ?? 0),
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
      cost: null,
      duration_ms: Date.now() - this.#startedAt,
      session: this.session,
      errors: this.#errors,
    };
  }
}
