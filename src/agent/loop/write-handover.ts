import {
  ContextOverflow,
  type ModelClient,
  type ModelMessage,
  type RequestedToolCall,
} from "../../llm/index.ts";
import { messageOf } from "../../shared/errors.ts";
import { truncateText } from "../../shared/text.ts";
import { fence } from "../documents/fence.ts";
import type { Permit } from "../permission/permission.ts";
import type { FileWatch } from "../ports/checkpoint.ts";
import type { AgentEventBody } from "../ports/events.ts";
import type { Tool, ToolContext } from "../tools/define-tool.ts";
import type { ContextGauge } from "./context-gauge.ts";
import {
  type History,
  joinText,
  outputText,
  type ToolMessage,
  toolOutcome,
  type UserContent,
} from "./history.ts";
import type { Spending } from "./spending.ts";
import { toToolDefinition } from "./to-tool-definition.ts";

const HEAD_RATIO = 0.7;
const FIRST_RATIO = 0.2;
const MIN_ITEMS = 80;

/** Cuts long texts, then drops the oldest messages but the first. Calls keep their results. */
function shortenHistory(
  messages: readonly ModelMessage[],
  characters: number,
): readonly ModelMessage[] {
  const limit = Math.max(MIN_ITEMS, Math.floor(characters / 8));
  const blocks = groupIntoBlocks(messages.map((message) => shortenMessage(message, limit)));
  const [first, ...rest] = blocks;
  if (first === undefined) return [];
  const start = first.map((message) =>
    shortenMessage(message, Math.max(MIN_ITEMS, characters * FIRST_RATIO)),
  );
  const retained: (readonly ModelMessage[])[] = [];
  let left = characters - countCharacters(start);
  for (const block of rest.toReversed()) {
    left -= countCharacters(block);
    if (left < 0) break;
    retained.unshift(block);
  }
  const note: ModelMessage[] =
    retained.length === rest.length
      ? []
      : [{ role: "user", content: "[cairn] Earlier messages were omitted here." }];
  return [...start, ...note, ...retained.flat()];
}

/** An answer and the results of its calls are one block: neither is valid alone. */
function groupIntoBlocks(messages: readonly ModelMessage[]): (readonly ModelMessage[])[] {
  const blocks: ModelMessage[][] = [];
  for (const message of messages) {
    const last = blocks.at(-1);
    if (message.role === "tool" && last !== undefined) last.push(message);
    else blocks.push([message]);
  }
  return blocks;
}

function shortenMessage(message: ModelMessage, limit: number): ModelMessage {
  switch (message.role) {
    case "user":
    case "system":
      return { ...message, content: shortenText(textWithNotes(message), limit) } as ModelMessage;
    case "assistant":
      return shortenAnswer(message, limit);
    case "tool":
      return { ...message, content: message.content.map((part) => shortenPart(part, limit)) };
  }
}

function textWithNotes({ content }: ModelMessage): string {
  if (typeof content === "string") return content;
  return content.map((part) => (part.type === "text" ? part.text : "[image]")).join("\n");
}

type AnswerPart = Exclude<Extract<ModelMessage, { role: "assistant" }>["content"], string>[number];

function shortenAnswer(
  message: Extract<ModelMessage, { role: "assistant" }>,
  limit: number,
): ModelMessage {
  if (typeof message.content === "string") {
    return { ...message, content: shortenText(message.content, limit) };
  }
  const content = message.content.flatMap((part): AnswerPart[] => {
    if (part.type === "reasoning") return [];
    if (part.type === "text") return [{ ...part, text: shortenText(part.text, limit) }];
    if (part.type !== "tool-call") return [part];
    const input = JSON.stringify(part.input);
    return [
      input.length <= limit ? part : { ...part, input: { shortened: shortenText(input, limit) } },
    ];
  });
  return { ...message, content };
}

function shortenPart(
  part: ToolMessage["content"][number],
  limit: number,
): ToolMessage["content"][number] {
  if (part.type !== "tool-result") return part;
  const { output, toolCallId: callId, toolName: name } = part;
  const text = outputText(part);
  const isText = output.type === "text" || output.type === "error-text";
  if (isText && text.length <= limit) return part;
  const isError = output.type === "error-text";
  return toolOutcome({ callId, name, text: shortenText(text, limit), isError });
}

function shortenText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const head = Math.floor(limit * HEAD_RATIO);
  const left = text.length - limit;
  const end = text.slice(-(limit - head)).replace(/^[\uDC00-\uDFFF]/, "");
  return `${truncateText(text, head)}\n[… ${left} characters omitted …]\n${end}`;
}

function countCharacters(messages: readonly ModelMessage[]): number {
  return messages.reduce((sum, { content }) => sum + JSON.stringify(content).length, 0);
}

export type HandoverRun = Pick<
  AgentRun,
  "client" | "history" | "system" | "tools" | "gauge" | "spending" | "signal" | "emit"
> & {
  readonly prompt?: string;
};

/** Replaces the history by a summary and returns it. A failure leaves the history untouched. */
export async function writeHandover(run: HandoverRun): Promise<string> {
  announce(run);
  const { summed, kept: retained } = splitHistory(run.history.messages);
  const text = await summarizeHistory(run, summed);
  run.signal.throwIfAborted();
  takeBeginning(run, { text, retained });
  return text;
}

export async function relieveContext(run: HandoverRun): Promise<void> {
  try {
    await writeHandover(run);
  } catch (error) {
    run.signal.throwIfAborted();
    run.emit({
      type: "status",
      phase: "info",
      message: `${endSentence(messageOf(error))} Continuing with only the end of the conversation.`,
    });
    continueFromEnd(run);
  }
}

export function continueFromEnd(run: HandoverRun): void {
  const { summed, kept: retained } = splitHistory(run.history.messages);
  const room = Math.floor(run.gauge.size * EXCERPT_RATIO);
  takeBeginning(run, {
    text: createExcerpt(summed, room),
    retained: shortenHistory(retained, 2 * room),
  });
}

const EXCERPT_RATIO = 0.3;
const MAX_LINE_CHARACTERS = 1_000;
/** Characters per token of the window (about three per token). */
const WINDOW_FACTORS = [2, 1, 0.5, 0.2];

function announce({ emit }: HandoverRun): void {
  const message = "Writing a summary to continue with a fresh context.";
  emit({ type: "status", phase: "handover", message });
}

async function summarizeHistory(
  run: HandoverRun,
  messages: readonly ModelMessage[],
): Promise<string> {
  const attempts = WINDOW_FACTORS.map((share) => Math.floor(share * run.gauge.size));
  if (!run.gauge.isFull({ ...run, history: { messages } }, 1)) attempts.unshift(Infinity);
  let overflow: unknown;
  for (const characters of attempts) {
    const shortened = characters === Infinity ? messages : shortenHistory(messages, characters);
    try {
      return await requestSummary(run, shortened);
    } catch (error) {
      if (!(error instanceof ContextOverflow)) throw error;
      overflow = error;
    }
  }
  throw overflow;
}

async function requestSummary(
  run: HandoverRun,
  messages: readonly ModelMessage[],
): Promise<string> {
  const focus = run.prompt === undefined ? "" : `\n\nMost important next step: ${run.prompt}`;
  const { text } = await run.spending.answer(run.client, {
    system: run.system,
    messages: [...messages, { role: "user", content: HANDOVER_PROMPT + focus }],
    tools: run.tools.map(toToolDefinition),
    toolChoice: "none",
    signal: run.signal,
    onRetry: (message) => run.emit({ type: "status", phase: "info", message }),
  });
  if (text.trim() === "")
    return createExcerpt(messages, Math.floor(run.gauge.size * EXCERPT_RATIO));
  return text;
}

function takeBeginning(
  run: HandoverRun,
  { text, retained }: { readonly text: string; readonly retained: readonly ModelMessage[] },
): void {
  const summary = `${HANDOVER_INTRODUCTION}\n\n${fence("handover", text)}`;
  run.history.startAfresh([{ role: "user", content: summary }, ...retained]);
  run.gauge.reset();
}

function splitHistory(messages: readonly ModelMessage[]) {
  const last = messages.findLastIndex(({ role }) => role !== "user");
  return { summed: messages.slice(0, last + 1), kept: messages.slice(last + 1) };
}

function createExcerpt(messages: readonly ModelMessage[], characters: number): string {
  const lines = messages.flatMap((message) => {
    const text = joinText(message).trim();
    return message.role === "tool" || text === ""
      ? []
      : [`${message.role}: ${shortenText(text, MAX_LINE_CHARACTERS)}`];
  });
  return shortenText(lines.join("\n\n"), Math.max(MAX_LINE_CHARACTERS, characters));
}

function endSentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

const HANDOVER_PROMPT = `The context window is nearly full. Write a handover for yourself: another session
continues from it and sees nothing else of this conversation. Answer with the handover only and
call no tool. Cover:

1. What the user asked for, in their own words where the wording matters, and what they decided.
2. What is done: files changed and why, commands run and how they ended.
3. What is half done or next, as concrete steps.
4. Findings that are costly to obtain again: paths, names, causes, dead ends.`;

const HANDOVER_INTRODUCTION =
  "The earlier conversation was replaced by the handover below, which you wrote. Continue from it; " +
  "do not start over, and read files again before you change them.";

export interface AgentRun {
  readonly client: ModelClient;
  readonly history: History;
  readonly system: string;
  readonly tools: readonly Tool[];
  readonly toolContext: Omit<ToolContext, "callId" | "signal">;
  /** Decides about a call before its tool runs; absent: every call runs. */
  readonly permit?: (call: PermitCall) => Promise<Permit>;
  readonly limits: RunLimits;
  readonly watch: FileWatch;
  readonly gauge: ContextGauge;
  readonly spending: Spending;
  readonly signal: AbortSignal;
  readonly emit: (event: AgentEventBody) => void;
  readonly knownOf?: (call: RequestedToolCall, signal: AbortSignal) => Promise<string>;
  readonly takeInput: () => Promise<readonly UserContent[]>;
}

export interface PermitCall {
  readonly callId: string;
  readonly tool: Tool;
  readonly input: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
}

interface RunLimits {
  readonly maxSteps?: number | undefined;
  readonly parallelToolCalls: number;
  readonly handoverThreshold: number;
}
