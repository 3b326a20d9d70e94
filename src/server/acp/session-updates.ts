import type { SessionUpdate, ToolCallContent } from "@agentclientprotocol/sdk/unstable";
import type { AgentEvent, HistoryEntry, ProgressItem } from "../../agent/index.ts";
import { isPlainObject } from "../../shared/json.ts";
import { absolutePath, describeToolCall } from "./describe-tool-call.ts";
import { diffContents, firstChangedLine } from "./diff-contents.ts";

export class SessionUpdates {
  readonly #cwd: string;
  /** Path of each call that names one: its result does not. */
  readonly #paths = new Map<string, string>();

  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  of(event: AgentEvent): readonly SessionUpdate[] {
    switch (event.type) {
      case "assistant.delta":
        return event.contextLabel === undefined ? [said("agent_message_chunk", event.text)] : [];
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
    if (role === "user") return said("user_message_chunk", text);
    if (role === "assistant") return said("agent_message_chunk", text);
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

export function said(
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
  if (phase === "thinking") return [said("agent_thought_chunk", message ?? "")];
  if (message === undefined || message === "" || !TOLD.has(phase)) return [];
  return [said("agent_message_chunk", `\n\n${message}\n\n`)];
}

const TOLD: ReadonlySet<string> = new Set(["info", "success", "print", "prompt", "learned"]);

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
