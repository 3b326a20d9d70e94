import type { ModelMessage } from "../../llm/index.ts";

export type ToolMessage = Extract<ModelMessage, { role: "tool" }>;
export type ToolOutcome = Extract<ToolMessage["content"][number], { type: "tool-result" }>;

export function toolOutcome(result: {
  readonly callId: string;
  readonly name: string;
  readonly text: string;
  readonly isError: boolean;
}): ToolOutcome {
  const { callId: toolCallId, name: toolName, text: value, isError } = result;
  const output = isError
    ? { type: "error-text" as const, value }
    : { type: "text" as const, value };
  return { type: "tool-result", toolCallId, toolName, output };
}

/** The text of a message without tool calls and reasoning. */
export function textOf(message: ModelMessage): string {
  if (typeof message.content === "string") return message.content;
  return message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
}
