import { stripControl, stripControlLine } from "../../shared/text.ts";
import type { Dialogue } from "../ports/dialogue.ts";
import type { AgentEventBody } from "../ports/events.ts";
import type { PendingPrompt } from "./pending-prompt.ts";

/** A flow talks through the events of its thread; every surface draws them in its own way. */
export function threadDialogue(options: {
  readonly emit: (event: AgentEventBody) => void;
  readonly prompt: PendingPrompt;
  readonly signal: AbortSignal;
}): Dialogue {
  const { emit, prompt, signal } = options;
  // Drafts, hooks and files are quoted here: none of them may reach a terminal as it is.
  const say = (phase: "info" | "success" | "print") => (message: string) =>
    emit({ type: "status", phase, message: stripControl(message) });
  return {
    info: say("info"),
    success: say("success"),
    print: say("print"),
    error: (message, code) =>
      emit({
        type: "error",
        message: stripControl(message),
        ...(code !== undefined && { code }),
      }),
    ask: (question) => prompt.ask(stripControl(question), { signal }),
    choose: (question, choices) => prompt.ask(stripControl(question), { signal, choices }),
    progress: (items) =>
      emit({
        type: "status",
        phase: "info",
        progress: items.map((item) => ({ ...item, label: stripControlLine(item.label) })),
      }),
  };
}
