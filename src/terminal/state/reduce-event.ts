import type { AgentEvent, Choice, TokenUsage } from "../../agent/index.ts";
import { describeCall } from "../../shared/describe-call.ts";
import { isPlainObject } from "../../shared/json.ts";
import { splitIncompleteControl, stripControl, stripControlLine } from "../../shared/text.ts";
import { finishMarkdown, type MarkdownBlock, pushMarkdown } from "../markdown/markdown-stream.ts";
import { formatUndoLine } from "../memory/undo-line.ts";
import { groupFinishedReads, isReadOnlyCall } from "./group-reads.ts";
import {
  type AnswerStream,
  emptyAnswer,
  type FinishedItem,
  type FinishedTool,
  type MemoriesItem,
  type NoteTone,
  type Screen,
} from "./screen.ts";

const MAX_OUTPUT_CHARACTERS = 64_000;
/** Characters of a subagent's output that fit on a line. */
const MAX_SUBAGENT_CHARACTERS = 200;

/** Applies an agent event. Never throws; ignores events of other threads. */
export function reduceEvent(before: Screen, event: AgentEvent, now: number): Screen {
  if (event.threadId !== before.threadId) return before;
  const screen = endsThought(event) ? finishThought(before, now) : before;
  switch (event.type) {
    case "thread.created":
      return screen;
    case "thread.deleted":
      return appendNote(endRun(screen), "info", "This session was deleted.");
    case "assistant.delta":
      return event.contextLabel === undefined
        ? addAnswer(screen, event.text)
        : withSubagentText(screen, event.contextLabel, event.text);
    case "assistant.done":
      return event.contextLabel === undefined
        ? finishAnswer(withUsage(screen, event.usage), event.text)
        : withCount(withoutSubagentText(screen, event.contextLabel), event.usage);
    case "tool.call":
      return callTool(screen, event, now);
    case "tool.result":
      return finishTool(screen, event);
    case "error":
      return appendNote(storeAnswer(screen), "error", event.message);
    case "status":
      return reduceStatus(screen, event, now);
    default:
      return screen;
  }
}

export function appendItem(screen: Screen, ...items: readonly FinishedItem[]): Screen {
  if (items.length === 0) return screen;
  const settled = groupFinishedReads(screen);
  return { ...settled, finished: [...settled.finished, ...items], unfoldedUpTo: 0 };
}

export function appendNote(screen: Screen, tone: NoteTone, text: string): Screen {
  const output = stripControl(text.slice(0, MAX_OUTPUT_CHARACTERS)).trim();
  return output === "" ? screen : appendItem(screen, { kind: "note", tone, text: output });
}

/** True if the event ends the model's reasoning; subagents are independent. */
function endsThought(event: AgentEvent): boolean {
  if (event.type === "status") return EVENTS_ENDING_THOUGHT.has(event.phase);
  return "contextLabel" in event ? event.contextLabel === undefined : true;
}

const EVENTS_ENDING_THOUGHT: ReadonlySet<string> = new Set([
  "calling",
  "idle",
  "aborted",
  "prompt",
]);

function finishThought(screen: Screen, now: number): Screen {
  const { thought } = screen;
  const settled = { ...screen, thought: undefined, pendingCall: undefined };
  if (thought === undefined) return screen.pendingCall === undefined ? screen : settled;
  const text = thought.text.trim();
  if (text === "") return settled;
  const milliseconds = now - thought.startedAt;
  return appendItem(settled, { kind: "thought", text, milliseconds, unfolded: false });
}

function appendThought(screen: Screen, text: string, now: number): Screen {
  const { thought } = screen;
  const startedAt = thought?.startedAt ?? now;
  const fullText = (thought?.text ?? "") + stripControl(text);
  return { ...screen, thought: { text: fullText.slice(-MAX_OUTPUT_CHARACTERS), startedAt } };
}

function withOutput(screen: Screen, { callId, message = "" }: StatusEvent): Screen {
  const output = stripControl(message);
  const tools = screen.tools.map((tool) => (tool.callId === callId ? { ...tool, output } : tool));
  return { ...screen, tools };
}

type StatusEvent = Extract<AgentEvent, { type: "status" }>;

function reduceStatus(screen: Screen, event: StatusEvent, now: number): Screen {
  const message = event.message ?? "";
  switch (event.phase) {
    case "running":
      return { ...screen, prompt: undefined, run: { startedAt: now, activity: "working" } };
    case "idle":
      return withCount(endRun(screen), event.usage);
    case "aborted":
      return appendNote({ ...endRun(screen), progress: [] }, "info", message || "Stopped.");
    case "prompt":
      return createPrompter(storeAnswer(screen), event);
    case "handover": {
      const run = { startedAt: screen.run?.startedAt ?? now, activity: "handover" as const };
      return appendNote(
        { ...screen, run },
        "info",
        message || "Context is full: continuing with a summary.",
      );
    }
    case "thinking":
      return appendThought(screen, message, now);
    case "calling":
      return { ...screen, pendingCall: { name: stripControlLine(message), size: event.size ?? 0 } };
    case "output":
      return withOutput(screen, event);
    case "memory":
      return appendItem(screen, memoriesItem("told", event));
    case "offer":
      return { ...appendItem(screen, memoriesItem("offered", event)), offersMemory: true };
    case "learned":
    case "success":
      return appendNote(screen, "success", message);
    case "print":
      return appendNote(screen, "print", message);
    case "info":
      if (event.progress === undefined) return appendNote(screen, "info", message);
      return { ...screen, progress: event.progress.map(safeProgress) };
    default:
      // The queue shows `queued` and `interjection`; the caller handles `resync`.
      return screen;
  }
}

function memoriesItem(about: MemoriesItem["about"], event: StatusEvent): MemoriesItem {
  const items = (event.memories ?? []).map(({ id, text }) => ({
    id: stripControlLine(id),
    text: stripControlLine(text),
  }));
  return { kind: "memories", about, items, unfolded: about === "offered" };
}

function safeProgress<T extends { readonly label: string }>(item: T): T {
  return { ...item, label: stripControlLine(item.label) };
}

function createPrompter(screen: Screen, event: StatusEvent): Screen {
  const question = stripControl((event.message ?? "").slice(0, MAX_OUTPUT_CHARACTERS)).trim();
  const offered = event.choices?.map(({ key, label }) => ({
    key: stripControlLine(key),
    label: stripControlLine(label),
  }));
  const choices = offered ?? parseChoices(question);
  const questionText = choices.length === 0 ? question : withoutChoices(question);
  const questionItems: FinishedItem[] =
    questionText === "" ? [] : [{ kind: "question", text: questionText }];
  return {
    ...appendItem(groupFinishedReads(screen), ...questionItems),
    prompt: { question, choices, selected: 0 },
  };
}

function endRun(screen: Screen): Screen {
  const finished = groupFinishedReads(finishAnswer(screen, ""));
  const stopped = finished.tools.map((tool): FinishedTool => {
    const { callId: _callId, startedAt: _startedAt, output: _output, ...shown } = tool;
    return { ...shown, kind: "tool", summary: "Not finished.", isError: true, unfolded: false };
  });
  const quiet = {
    ...appendItem(finished, ...stopped),
    tools: [],
    subagentLines: {},
    run: undefined,
  };
  return { ...quiet, prompt: undefined };
}

function addAnswer(screen: Screen, delta: string): Screen {
  const settled = groupFinishedReads(screen);
  const { stream } = settled;
  const { ready, rest } = splitIncompleteControl(stream.carry + delta);
  const pushed = pushMarkdown(stream.markdown, stripControl(ready));
  const next: AnswerStream = { markdown: pushed.stream, carry: rest, hasText: true };
  return appendItem({ ...settled, stream: next }, ...pushed.blocks.map(answerItem));
}

function finishAnswer(screen: Screen, text: string): Screen {
  const seen = screen.stream.hasText || text === "" ? screen : addAnswer(screen, text);
  const afterAnswer = storeAnswer(seen);
  return afterAnswer.stream.hasText ? { ...afterAnswer, stream: emptyAnswer } : afterAnswer;
}

function storeAnswer(screen: Screen): Screen {
  const { stream } = screen;
  if (stream.markdown === emptyAnswer.markdown && stream.carry === "") return screen;
  const last = pushMarkdown(stream.markdown, stripControl(stream.carry));
  const blocks = [...last.blocks, ...finishMarkdown(last.stream)];
  const cleared = { ...screen, stream: { ...emptyAnswer, hasText: stream.hasText } };
  return appendItem(cleared, ...blocks.map(answerItem));
}

function answerItem(block: MarkdownBlock): FinishedItem {
  return { kind: "assistant", ...block };
}

function withSubagentText(screen: Screen, label: string, text: string): Screen {
  const before = Object.hasOwn(screen.subagentLines, label)
    ? (screen.subagentLines[label] ?? "")
    : "";
  const tail = stripControlLine((before + text).slice(-MAX_SUBAGENT_CHARACTERS));
  return { ...screen, subagentLines: { ...screen.subagentLines, [stripControlLine(label)]: tail } };
}

function withoutSubagentText(screen: Screen, label: string): Screen {
  const otherLines = Object.entries(screen.subagentLines).filter(
    ([name]) => name !== stripControlLine(label),
  );
  return { ...screen, subagentLines: Object.fromEntries(otherLines) };
}

function withUsage(screen: Screen, usage: TokenUsage | undefined): Screen {
  const counted = withCount(screen, usage);
  const contextUsed = usage?.contextUsed;
  if (contextUsed === undefined) return counted;
  const isWindowAssumed = usage?.isWindowAssumed === true;
  return { ...counted, status: { ...counted.status, contextUsed, isWindowAssumed } };
}

/** Tokens and cost; a subagent's context is separate. */
function withCount(screen: Screen, usage: TokenUsage | undefined): Screen {
  if (usage === undefined) return screen;
  const { cost: _before, ...status } = screen.status;
  return {
    ...screen,
    status: {
      ...status,
      inputTokens: status.inputTokens + usage.inputTokens,
      outputTokens: status.outputTokens + usage.outputTokens,
      ...(usage.cost !== undefined && { cost: usage.cost }),
    },
  };
}

function callTool(
  screen: Screen,
  event: Extract<AgentEvent, { type: "tool.call" }>,
  startedAt: number,
): Screen {
  const settled = event.contextLabel === undefined ? storeAnswer(screen) : screen;
  const tool = {
    callId: event.callId,
    name: stripControlLine(event.name),
    about: describeCall(event.name, event.args),
    ...parseLocation(event.args),
    startedAt,
    ...parseLabel(event.contextLabel),
  };
  return { ...settled, tools: [...settled.tools, tool] };
}

function finishTool(screen: Screen, event: Extract<AgentEvent, { type: "tool.result" }>): Screen {
  const call = screen.tools.find((tool) => tool.callId === event.callId);
  const summary = stripControl(event.summary.slice(0, MAX_OUTPUT_CHARACTERS));
  const isError = event.isError === true;
  const done: FinishedTool = {
    kind: "tool",
    name: stripControlLine(event.name),
    about: call?.about ?? "",
    ...(call?.location !== undefined && { location: call.location }),
    summary,
    isError,
    unfolded: false,
    ...parseLabel(event.contextLabel),
    ...(event.output !== undefined && {
      output: stripControl(event.output.slice(0, MAX_OUTPUT_CHARACTERS)),
    }),
    ...(event.diff !== undefined && {
      diff: stripControl(event.diff.slice(0, MAX_OUTPUT_CHARACTERS)),
    }),
    ...(wasPreviewed(screen, event.diff) && { isShownAbove: true }),
  };
  const tools = screen.tools.filter((tool) => tool !== call);
  if (isReadOnlyCall(done)) return { ...screen, tools, reads: [...screen.reads, done] };
  const next = appendItem({ ...screen, tools }, done);
  const undo = event.name === "remember" && !isError ? formatUndoLine(summary) : undefined;
  return undo === undefined ? next : appendNote(next, "quiet", undo);
}

function parseLocation(args: unknown): { location?: string } {
  if (!isPlainObject(args) || typeof args.path !== "string") return {};
  return { location: stripControlLine(args.path.slice(0, MAX_PATH_CHARACTERS)) };
}

const MAX_PATH_CHARACTERS = 400;

const PREVIEW_LOOKBACK = 4;

function wasPreviewed({ finished }: Screen, diff: string | undefined): boolean {
  if (diff === undefined) return false;
  return finished
    .slice(-PREVIEW_LOOKBACK)
    .some((item) => item.kind === "tool" && item.isPreview === true && item.diff === diff);
}

function parseLabel(contextLabel: string | undefined): { contextLabel?: string } {
  return contextLabel === undefined ? {} : { contextLabel: stripControlLine(contextLabel) };
}

function parseChoices(question: string): readonly Choice[] {
  const last = question.trimEnd().split("\n").at(-1) ?? "";
  const choices = Array.from(
    last.matchAll(/\[([A-Za-z0-9])\]([^,;[\]?]*)/g),
    ([, key = "", rest = ""]): Choice => {
      const label = rest.startsWith(" ") ? rest.trim() : `${key}${rest}`.trim();
      return { key, label: label.replace(/\s+or$/, "") };
    },
  );
  return choices.length > 1 ? choices : [];
}

function withoutChoices(question: string): string {
  if (parseChoices(question).length === 0) return question;
  const lines = question.trimEnd().split("\n");
  const last = lines.pop() ?? "";
  return [...lines, last.slice(0, last.search(/\[[A-Za-z0-9]\]/)).trimEnd()].join("\n").trim();
}
