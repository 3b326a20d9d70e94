import { ContentRefused, ContextOverflow, type ModelAnswer } from "../../llm/index.ts";
import { CairnError } from "../../shared/errors.ts";
import { canonicalJson } from "../../shared/json.ts";
import type { AgentEventBody, TokenUsage } from "../ports/events.ts";
import { type FinishedCall, runToolCalls } from "./run-tool-calls.ts";
import { toToolDefinition } from "./to-tool-definition.ts";
import type { AgentRun } from "./write-handover.ts";
import { continueFromEnd, relieveContext } from "./write-handover.ts";

/** Time between two status lines about the same call. */
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

  call(name: string, added: number): void {
    const before = this.#call?.name === name ? this.#call.size : 0;
    const size = before + added;
    const isNew = this.#call?.name !== name;
    this.#call = { name, size };
    // A short call is complete before its status could be read.
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

/** Streams one request and stores the answer. Text shown before a failure stays. */
async function requestStep(run: StepRun): Promise<ModelAnswer> {
  let streamed = "";
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
        streamed += text;
        run.emit({ type: "assistant.delta", text });
      },
      onRestart: () => {
        if (streamed !== "") run.emit({ type: "assistant.done", text: streamed });
        streamed = "";
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
        usage: createUsage(run),
      });
    }
    return answer;
  } catch (error) {
    if (error instanceof ContentRefused) run.history.removeRefused();
    if (streamed.trim() !== "") run.history.append({ role: "assistant", content: streamed });
    throw error;
  }
}

/** Steps without text report with the next one. */
function createUsage(run: StepRun): TokenUsage {
  return {
    ...run.spending.takeReport(),
    contextUsed: run.gauge.usedFraction(run),
    contextSize: run.gauge.size,
    ...(run.gauge.window === undefined && { isWindowAssumed: true as const }),
  };
}

const MAX_REPEATS = 3;
const MAX_CYCLE_LENGTH = 4;

/** Detects calls that repeat with equal arguments and results, also in cycles. */
class RepetitionGuard {
  #keys: string[] = [];

  /** Returns a tool of a cycle after three rounds, or four if it has several calls. */
  findRepeated(calls: readonly FinishedCall[]): string | undefined {
    for (const { call, comparableText } of calls) {
      this.#keys.push(canonicalJson([call.name, call.input, comparableText]));
      this.#keys = this.#keys.slice(-MAX_CYCLE_LENGTH * (MAX_REPEATS + 1));
      for (let length = 1; length <= MAX_CYCLE_LENGTH; length += 1) {
        if (this.#isCycle(length, length === 1 ? MAX_REPEATS : MAX_REPEATS + 1)) return call.name;
      }
    }
    return undefined;
  }

  reset(): void {
    this.#keys = [];
  }

  #isCycle(length: number, repeats: number): boolean {
    const start = this.#keys.length - length * repeats;
    if (start < 0) return false;
    return this.#keys.every((key, at) => at < start + length || key === this.#keys[at - length]);
  }
}

const MAX_CUT_ANSWERS = 3;

/** An answer that is, or ends with, a tool call in a model's chat template. */
const CALL_AS_TEXT = /^\s*(?:<tool_call>|\[TOOL_CALLS\]|<function=)|<\/(?:tool_call|function)>\s*$/;
const CALL_AS_TEXT_ERROR =
  "The model wrote a tool call as text, so nothing was run. Its server does not parse tool calls: turn on its tool-call " +
  "parser (or the chat template of the model), or choose another model with /model.";

/** Returns the model's last answer. Throws a CairnError to show, or the signal's reason. */
export async function runLoop(run: AgentRun): Promise<string> {
  const repetition = new RepetitionGuard();
  let cutAnswers = 0;
  for (let step = 0; step < (run.limits.maxSteps ?? Number.POSITIVE_INFINITY); step += 1) {
    run.signal.throwIfAborted();
    for (const content of await run.takeInput()) {
      run.history.append({ role: "user", content });
      repetition.reset();
    }
    const answer = await requestFittingAnswer(run);
    cutAnswers = answer.cut === undefined ? 0 : cutAnswers + 1;
    if (answer.toolCalls.length === 0) {
      if (answer.cut !== undefined) throw incompleteError(answer.cut);
      if (CALL_AS_TEXT.test(answer.text))
        run.emit({ type: "status", phase: "info", message: CALL_AS_TEXT_ERROR });
      return answer.text;
    }
    const results = await runToolCalls(run, markCutCalls(answer));
    run.history.append({ role: "tool", content: results.map(({ outcome }) => outcome) });
    run.signal.throwIfAborted();
    if (answer.cut !== undefined && cutAnswers >= MAX_CUT_ANSWERS)
      throw incompleteError(answer.cut);
    const repeated = answer.cut === undefined ? repetition.findRepeated(results) : undefined;
    if (repeated !== undefined) throw stuckError(repeated);
  }
  throw new CairnError(
    "conflict",
    `The run was stopped after ${run.limits.maxSteps} model requests. Send a message to continue, or ` +
      'raise "maxSteps" in the config.',
  );
}

/** Makes room before a request that would not fit, and after one that did not. */
async function requestFittingAnswer(run: AgentRun): Promise<ModelAnswer> {
  const hasPast = run.history.messages.some(({ role }) => role === "assistant");
  if (hasPast && run.gauge.isFull(run, run.limits.handoverThreshold)) await relieveContext(run);
  try {
    return await requestStep(run);
  } catch (error) {
    if (!(error instanceof ContextOverflow)) throw error;
    return await recoverFromOverflow(run, error);
  }
}

async function recoverFromOverflow(run: AgentRun, first: ContextOverflow): Promise<ModelAnswer> {
  let overflow = first;
  for (const makeRoom of [relieveContext, continueFromEnd]) {
    await makeRoom(run);
    try {
      return await requestStep(run);
    } catch (error) {
      if (!(error instanceof ContextOverflow)) throw error;
      overflow = error;
    }
  }
  throw overflow;
}

/** The last call of a truncated answer is incomplete. */
function markCutCalls({ cut, toolCalls }: ModelAnswer): ModelAnswer["toolCalls"] {
  if (cut === undefined) return toolCalls;
  return toolCalls.map((call) =>
    call.malformed === undefined
      ? call
      : {
          ...call,
          malformed:
            "The answer reached the model's output limit in the middle of this call. Do it in " +
            "smaller parts: write the beginning, then add to it.",
        },
  );
}

function incompleteError(cut: NonNullable<ModelAnswer["cut"]>): CairnError {
  const reason = {
    length:
      "The answer is cut off: it reached the model's output limit. Ask the model to continue.",
    filter: "The answer is cut off: the provider's content filter ended it. Rephrase the request.",
    refused: "The model refused to answer. Rephrase the request.",
    size: "The answer is cut off: it was longer than a million characters.",
  }[cut];
  return new CairnError("unavailable", reason);
}

function stuckError(tool: string): CairnError {
  return new CairnError(
    "conflict",
    `The run was stopped: the model repeats the same calls (${tool}) with the same results. ` +
      "Tell it what to do instead.",
  );
}
