import { ContentRefused, type ModelAnswer } from "../../llm/index.ts";
import type { AgentEventBody, TokenUsage } from "../ports/events.ts";
import type { AgentRun } from "./agent-run.ts";
import { toToolDefinition } from "./to-tool-definition.ts";

/** Between two lines about the same; a screen draws no more often, and a client reads no more. */
const PAUSE_MS = 200;

class StepProgress {
  readonly #emit: (event: AgentEventBody) => void;
  #thought = "";
  #thoughtAt = Number.NEGATIVE_INFINITY;
  #callAt = Number.NEGATIVE_INFINITY;
  #call: { readonly name: string; readonly size: number } | undefined;

  constructor(emit: (event: AgentEventBody) => void) {
    this.#emit = emit;
  }

  think(text: string): void {
    this.#thought += text;
    if (performance.now() - this.#thoughtAt >= PAUSE_MS) this.flush();
  }

  /** More of the arguments of a call has come; characters. */
  call(name: string, added: number): void {
    const before = this.#call?.name === name ? this.#call.size : 0;
    const size = before + added;
    const isNew = this.#call?.name !== name;
    this.#call = { name, size };
    // A short call is there before anybody could read that it comes.
    if (isNew) this.#callAt = performance.now();
    if (performance.now() - this.#callAt < PAUSE_MS) return;
    this.flush();
    this.#callAt = performance.now();
    this.#emit({ type: "status", phase: "calling", message: name, size });
  }

  flush(): void {
    if (this.#thought === "") return;
    this.#thoughtAt = performance.now();
    this.#emit({ type: "status", phase: "thinking", message: this.#thought });
    this.#thought = "";
  }
}

type StepRun = Pick<
  AgentRun,
  "client" | "history" | "system" | "tools" | "gauge" | "spending" | "signal" | "emit"
>;

/** One model request: streams the text, stores the answer. What was shown before a failure stays. */
export async function requestStep(run: StepRun): Promise<ModelAnswer> {
  let shown = "";
  const progress = new StepProgress(run.emit);
  try {
    const answer = await run.spending.answer(run.client, {
      system: run.system,
      messages: run.history.messages,
      tools: run.tools.map(toToolDefinition),
      signal: run.signal,
      onReasoning: (text) => progress.think(text),
      onToolInput: (name, added) => progress.call(name, added),
      onText: (text) => {
        progress.flush();
        shown += text;
        run.emit({ type: "assistant.delta", text });
      },
      onRestart: () => {
        if (shown !== "") run.emit({ type: "assistant.done", text: shown });
        shown = "";
      },
      onImagesRefused: () => run.history.removeImages(),
      onRetry: (message) => run.emit({ type: "status", phase: "info", message }),
    });
    progress.flush();
    run.history.append(answer.message);
    run.gauge.record(answer.usage, run.history.messages.length);
    const isLast = answer.toolCalls.length === 0;
    if (answer.text !== "" || isLast) {
      run.emit({
        type: "assistant.done",
        text: answer.text,
        usage: usageOf(run),
      });
    }
    return answer;
  } catch (error) {
    if (error instanceof ContentRefused) run.history.removeRefused();
    if (shown.trim() !== "") run.history.append({ role: "assistant", content: shown });
    throw error;
  }
}

/** Steps without words report with the next one. */
function usageOf(run: StepRun): TokenUsage {
  return {
    ...run.spending.takeReport(),
    contextUsed: run.gauge.share(run),
    contextSize: run.gauge.size,
    ...(run.gauge.window === undefined && { isWindowAssumed: true as const }),
  };
}
