import { isAbsolute, join } from "node:path";
import type {
  AgentContext,
  PermissionOption,
  SessionUpdate,
  ToolCallContent,
  ToolCallLocation,
  ToolKind,
} from "@agentclientprotocol/sdk/unstable";
import type {
  AgentEvent,
  HistoryEntry,
  PermissionAnswer,
  PermissionDecision,
  PermissionQuestion,
  ProgressItem,
} from "../../agent/index.ts";
import { isPlainObject } from "../../shared/json.ts";
import { stripControlLine } from "../../shared/text.ts";

const MAX_TITLE = 200;

const TOOL_KINDS: Readonly<Record<string, ToolKind>> = {
  read: "read",
  skim: "read",
  filegrep: "search",
  glob: "search",
  grep: "search",
  recall: "search",
  memory_snapshot: "read",
  write: "edit",
  edit: "edit",
  shell: "execute",
  shell_status: "execute",
  subagent: "think",
  web_fetch: "fetch",
};

interface DescribedCall {
  readonly title: string;
  readonly kind: ToolKind;
  readonly locations: ToolCallLocation[];
}

function describeToolCall(name: string, args: unknown, cwd: string): DescribedCall {
  const fields = isPlainObject(args) ? args : {};
  const argument = ["command", "path", "pattern", "query", "url", "content", "id"]
    .map((field) => fields[field])
    .find((value) => typeof value === "string" && value !== "");
  const title = stripControlLine(
    `${name} ${String(argument ?? "").split("\n", 1)[0]}`.slice(0, MAX_TITLE),
  );
  const line = typeof fields.offset === "number" ? fields.offset : fields.start_line;
  const locations =
    typeof fields.path === "string"
      ? [
          {
            path: absolutePath(fields.path, cwd),
            ...(typeof line === "number" && Number.isInteger(line) && line > 0 && { line }),
          },
        ]
      : [];
  return { title: title.trim(), kind: TOOL_KINDS[name] ?? "other", locations };
}

function absolutePath(path: string, cwd: string): string {
  return isAbsolute(path) ? path : join(cwd, path);
}

export class SessionUpdates {
  readonly #cwd: string;
  readonly #paths = new Map<string, string>();

  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  of(event: AgentEvent): readonly SessionUpdate[] {
    switch (event.type) {
      case "assistant.delta":
        return event.contextLabel === undefined
          ? [messageChunk("agent_message_chunk", event.text)]
          : [];
      case "tool.call":
        return [this.#call(event)];
      case "tool.result":
        return [this.#result(event)];
      case "assistant.done":
        return event.contextLabel === undefined ? usageUpdates(event) : [];
      case "status":
        return statusUpdates(event);
      default:
        return [];
    }
  }

  #call({ callId, name, args, contextLabel }: EventOf<"tool.call">): SessionUpdate {
    const described = describeToolCall(name, args, this.#cwd);
    if (isPlainObject(args) && typeof args.path === "string") {
      this.#paths.set(callId, absolutePath(args.path, this.#cwd));
    }
    const title = [contextLabel, described.title].filter((part) => part !== undefined).join(" ");
    return {
      sessionUpdate: "tool_call",
      toolCallId: callId,
      ...described,
      title,
      status: "in_progress",
      rawInput: args,
    };
  }

  #result({ callId, summary, diff, output, isError }: EventOf<"tool.result">): SessionUpdate {
    const path = this.#paths.get(callId);
    this.#paths.delete(callId);
    const line = diff === undefined ? undefined : firstChangedLine(diff);
    return {
      sessionUpdate: "tool_call_update",
      toolCallId: callId,
      status: isError === true ? "failed" : "completed",
      content:
        diff === undefined || path === undefined
          ? [textContent(output ?? summary)]
          : [...diffContents(path, diff)],
      ...(path !== undefined && line !== undefined && { locations: [{ path, line }] }),
    };
  }
}

type EventOf<Type extends AgentEvent["type"]> = Extract<AgentEvent, { readonly type: Type }>;

export function historyUpdates(
  entries: readonly HistoryEntry[],
  { sessionId, cwd }: { readonly sessionId: string; readonly cwd: string },
): readonly SessionUpdate[] {
  return entries.map(({ role, text, args, failure }, index) => {
    if (role === "user") return messageChunk("user_message_chunk", text);
    if (role === "assistant") return messageChunk("agent_message_chunk", text);
    const toolCallId = `${sessionId}-${index}`;
    const status = failure === undefined ? "completed" : "failed";
    const { title } = describeToolCall(text, args, cwd);
    const content = failure === undefined ? {} : { content: [textContent(failure)] };
    return { sessionUpdate: "tool_call", toolCallId, title, status, ...content };
  });
}

export function textContent(text: string): ToolCallContent {
  return { type: "content", content: { type: "text", text } };
}

export function messageChunk(
  sessionUpdate: "user_message_chunk" | "agent_message_chunk" | "agent_thought_chunk",
  text: string,
): SessionUpdate {
  return { sessionUpdate, content: { type: "text", text } };
}

function usageUpdates({ usage }: EventOf<"assistant.done">): readonly SessionUpdate[] {
  const { contextUsed, contextSize: size, cost } = usage ?? {};
  if (contextUsed === undefined || size === undefined) return [];
  const used = Math.round(contextUsed * size);
  const paid = cost === undefined ? {} : { cost: { amount: cost, currency: "USD" } };
  return [{ sessionUpdate: "usage_update", used, size, ...paid }];
}

function statusUpdates({ phase, message, progress }: EventOf<"status">): readonly SessionUpdate[] {
  if (progress !== undefined) return [{ sessionUpdate: "plan", entries: progress.map(planEntry) }];
  if (phase === "thinking") return [messageChunk("agent_thought_chunk", message ?? "")];
  if (message === undefined || message === "" || !MESSAGE_EVENTS.has(phase)) return [];
  return [messageChunk("agent_message_chunk", `\n\n${message}\n\n`)];
}

const MESSAGE_EVENTS: ReadonlySet<string> = new Set([
  "info",
  "success",
  "print",
  "prompt",
  "learned",
]);

function planEntry({ label, state }: ProgressItem) {
  const status = {
    waiting: "pending",
    running: "in_progress",
    done: "completed",
    failed: "completed",
  } as const;
  const content = state === "failed" ? `${label} (failed)` : label;
  return { content, priority: "medium" as const, status: status[state] };
}

const ALLOW_DECISIONS = ["once", "session", "always"] as const;

interface QuestionContext {
  readonly sessionId: string;
  readonly cwd: string;
}

export async function requestPermission(
  client: AgentContext,
  question: PermissionQuestion,
  { sessionId, cwd }: QuestionContext,
): Promise<Pick<PermissionAnswer, "decision" | "message"> | undefined> {
  const { callId, tool, title } = question;
  const { kind } = describeToolCall(tool, {}, cwd);
  try {
    const { outcome } = await client.request("session/request_permission", {
      sessionId,
      toolCall: {
        ...{ toolCallId: callId, title: `${tool} ${title}`, kind, status: "pending" },
        content: describeQuestion(question),
      },
      options: listOptions(question),
    });
    return outcome.outcome === "selected" ? parseDecision(outcome.optionId) : undefined;
  } catch {
    return undefined;
  }
}

function describeQuestion({ command, diff, reason, title }: PermissionQuestion): ToolCallContent[] {
  return [
    ...(reason === "" ? [] : [textContent(`Reason: ${reason}.`)]),
    ...(command === undefined ? [] : [textContent(formatCode(command, "sh"))]),
    ...(diff === undefined ? [] : diffContents(title, diff)),
  ];
}

function listOptions({ always }: PermissionQuestion): PermissionOption[] {
  return [
    { optionId: "once", name: "Allow once", kind: "allow_once" },
    ...(always.length === 0
      ? []
      : [
          {
            optionId: "session",
            name: `Allow ${always.join(", ")} in this session`,
            kind: "allow_always" as const,
          },
          {
            optionId: "always",
            name: `Always allow ${always.join(", ")}`,
            kind: "allow_always" as const,
          },
        ]),
    { optionId: "no", name: "No", kind: "reject_once" },
  ];
}

function parseDecision(optionId: string): { decision: PermissionDecision } {
  return { decision: ALLOW_DECISIONS.find((decision) => decision === optionId) ?? "no" };
}

function formatCode(text: string, language: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/**
 * Converts a unified diff's hunks to old and new text, which editors display as changes. `path` is
 * absolute.
 */
function diffContents(path: string, diff: string): readonly ToolCallContent[] {
  const hunks: { old: string[]; new: string[]; startsAtNothing: boolean }[] = [];
  for (const line of diff.split("\n")) {
    const head = /^@@ -(\d+)(?:,(\d+))? \+/.exec(line);
    if (head !== null) {
      hunks.push({ old: [], new: [], startsAtNothing: head[2] === "0" && head[1] === "0" });
      continue;
    }
    const hunk = hunks.at(-1);
    if (hunk === undefined || line.startsWith("\\")) continue;
    if (line.startsWith("-")) hunk.old.push(line.slice(1));
    else if (line.startsWith("+")) hunk.new.push(line.slice(1));
    else if (line.startsWith(" ")) {
      hunk.old.push(line.slice(1));
      hunk.new.push(line.slice(1));
    }
  }
  return hunks.map((hunk) => ({
    type: "diff",
    path,
    oldText: hunk.startsAtNothing ? null : text(hunk.old),
    newText: text(hunk.new),
  }));
}

/** Line in the new file where the first change begins, from 1. */
function firstChangedLine(diff: string): number | undefined {
  const lines = diff.split("\n");
  const at = lines.findIndex((line) => line.startsWith("@@"));
  const start = /\+(\d+)/.exec(lines[at] ?? "")?.[1];
  if (start === undefined) return undefined;
  const body = lines.slice(at + 1);
  const before = body.findIndex((line) => line.startsWith("+") || line.startsWith("-"));
  return Math.max(1, Number(start) + Math.max(0, before));
}

function text(lines: readonly string[]): string {
  return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
}
