import type { Dialogue } from "../dialogue.ts";
import type { AgentEventBody } from "../events.ts";
import type { PendingPrompt } from "./pending-prompt.ts";

/** A flow talks through the events of its thread; every surface draws them in its own way. */
export function threadDialogue(options: {
  readonly emit: (event: AgentEventBody) => void;
  readonly prompt: PendingPrompt;
  readonly signal: AbortSignal;
}): Dialogue {
  const { emit, prompt, signal } = options;
  return {
    info: (message) => emit({ type: "status", phase: "info", message }),
    success: (message) => emit({ type: "status", phase: "success", message }),
    print: (message) => emit({ type: "status", phase: "print", message }),
    error: (message, code) =>
      emit({ type: "error", message, ...(code === undefined ? {} : { code }) }),
    ask: (question) => prompt.ask(question, { signal }),
    choose: (question, choices) => prompt.ask(question, { signal, choices }),
    progress: (items) => emit({ type: "status", phase: "info", progress: items }),
  };
}
