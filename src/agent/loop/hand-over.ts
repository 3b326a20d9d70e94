import { ContextOverflow, type ModelMessage } from "../../llm/index.ts";
import { messageOf } from "../../shared/errors.ts";
import { fence } from "../documents/fence.ts";
import type { AgentRun } from "./agent-run.ts";
import { textOf } from "./history.ts";
import { shortenHistory, shortenText } from "./shorten-history.ts";
import { toToolDefinition } from "./to-tool-definition.ts";

export type HandoverRun = Pick<
  AgentRun,
  "client" | "history" | "system" | "tools" | "gauge" | "spending" | "signal" | "emit"
> & {
  readonly prompt?: string;
};

/**
 * Replaces the history by a summary of it; what the user said last, and got no answer to, stays as
 * it is. The history is untouched until the summary is there, so that a cancel or a failure loses
 * nothing. A history that does not fit is summed up from a shortened form. Returns the summary.
 */
export async function handOver(run: HandoverRun): Promise<string> {
  announce(run);
  const { summed, kept } = splitHistory(run.history.messages);
  const text = await summarise(run, summed);
  run.signal.throwIfAborted();
  begin(run, { text, kept });
  return text;
}

export async function relieve(run: HandoverRun): Promise<void> {
  try {
    await handOver(run);
  } catch (error) {
    run.signal.throwIfAborted();
    run.emit({
      type: "status",
      phase: "info",
      message: `${endSentence(messageOf(error))} Going on with the end of the conversation alone.`,
    });
    goOnFromTheEnd(run);
  }
}

export function goOnFromTheEnd(run: HandoverRun): void {
  const { summed, kept } = splitHistory(run.history.messages);
  const room = Math.floor(run.gauge.size * EXCERPT_RATIO);
  begin(run, { text: excerpt(summed, room), kept: shortenHistory(kept, 2 * room) });
}

const EXCERPT_RATIO = 0.3;
const LONGEST_LINE = 1_000;
/** Characters of the conversation by share of the window (about three characters a token). */
const ATTEMPTS = [2, 1, 0.5, 0.2];

function announce({ emit }: HandoverRun): void {
  const message = "Writing a summary to go on with a fresh context.";
  emit({ type: "status", phase: "handover", message });
}

async function summarise(run: HandoverRun, messages: readonly ModelMessage[]): Promise<string> {
  const attempts = ATTEMPTS.map((share) => Math.floor(share * run.gauge.size));
  if (!run.gauge.isFull({ ...run, history: { messages } }, 1)) attempts.unshift(Infinity);
  let overflow: unknown;
  for (const characters of attempts) {
    const shown = characters === Infinity ? messages : shortenHistory(messages, characters);
    try {
      return await askForSummary(run, shown);
    } catch (error) {
      if (!(error instanceof ContextOverflow)) throw error;
      overflow = error;
    }
  }
  throw overflow;
}

async function askForSummary(run: HandoverRun, messages: readonly ModelMessage[]): Promise<string> {
  const focus =
    run.prompt === undefined ? "" : `\n\nWhat comes next, and matters most: ${run.prompt}`;
  const { text } = await run.spending.answer(run.client, {
    system: run.system,
    messages: [...messages, { role: "user", content: REQUEST + focus }],
    tools: run.tools.map(toToolDefinition),
    toolChoice: "none",
    signal: run.signal,
    onRetry: (message) => run.emit({ type: "status", phase: "info", message }),
  });
  if (text.trim() === "") return excerpt(messages, Math.floor(run.gauge.size * EXCERPT_RATIO));
  return text;
}

function begin(
  run: HandoverRun,
  { text, kept }: { readonly text: string; readonly kept: readonly ModelMessage[] },
): void {
  const summary = `${INTRODUCTION}\n\n${fence("handover", text)}`;
  run.history.startAfresh([{ role: "user", content: summary }, ...kept]);
  run.gauge.reset();
}

function splitHistory(messages: readonly ModelMessage[]) {
  const last = messages.findLastIndex(({ role }) => role !== "user");
  return { summed: messages.slice(0, last + 1), kept: messages.slice(last + 1) };
}

function excerpt(messages: readonly ModelMessage[], characters: number): string {
  const lines = messages.flatMap((message) => {
    const text = textOf(message).trim();
    return message.role === "tool" || text === ""
      ? []
      : [`${message.role}: ${shortenText(text, LONGEST_LINE)}`];
  });
  return shortenText(lines.join("\n\n"), Math.max(LONGEST_LINE, characters));
}

function endSentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
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
