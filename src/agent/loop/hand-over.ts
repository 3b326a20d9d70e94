import { fence } from "../documents/fence.ts";
import type { AgentRun } from "./agent-run.ts";
import { offerOf } from "./offer-tool.ts";

export type HandoverRun = Pick<
  AgentRun,
  "client" | "history" | "system" | "tools" | "gauge" | "signal" | "emit"
> & {
  /** What the summary should attend to, in the user's words. */
  readonly focus?: string;
};

/**
 * Replaces the history by a summary of it. The history is untouched until the summary is there, so
 * that a cancel or a failure loses nothing. Returns the summary.
 */
export async function handOver(run: HandoverRun): Promise<string> {
  run.emit({
    type: "status",
    phase: "handover",
    message: "Writing a summary to go on with a fresh context.",
  });
  const focus = run.focus ? `\n\nPay special attention to: ${run.focus}` : "";
  const { text } = await run.client.answer({
    system: run.system,
    messages: [...run.history.messages, { role: "user", content: REQUEST + focus }],
    tools: run.tools.map(offerOf),
    toolChoice: "none",
    signal: run.signal,
    onRetry: (message) => run.emit({ type: "status", phase: "info", message }),
  });
  run.signal.throwIfAborted();
  run.history.replace([{ role: "user", content: `${INTRODUCTION}\n\n${fence("handover", text)}` }]);
  run.gauge.reset();
  return text;
}

const REQUEST = `The context window is nearly full. Write a handover for yourself: another session
continues from it and sees nothing else of this conversation. Answer with the handover only and
call no tool. Cover:

1. What the user asked for, in their own words where the wording matters, and what they decided.
2. What is done: files changed and why, commands run and how they ended.
3. What is half done or next, as concrete steps.
4. Facts found on the way that would be costly to find again: paths, names, causes, dead ends.`;

const INTRODUCTION =
  "The earlier conversation was replaced by the handover below, which you wrote. Go on from there; " +
  "do not start over, and read files again before you change them.";
