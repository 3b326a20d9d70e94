import type { ModelMessage } from "../../llm/index.ts";
import type { Picture } from "../images/picture.ts";

export type ToolMessage = Extract<ModelMessage, { role: "tool" }>;
export type ToolOutcome = Extract<ToolMessage["content"][number], { type: "tool-result" }>;

export function toolOutcome(result: {
  readonly callId: string;
  readonly name: string;
  readonly text: string;
  readonly isError: boolean;
  readonly pictures?: readonly Picture[];
}): ToolOutcome {
  const { callId: toolCallId, name: toolName, text: value, isError, pictures = [] } = result;
  if (pictures.length > 0 && !isError) {
    const shown = pictures.map((picture) => ({ type: "image-data" as const, ...picture }));
    const content = [{ type: "text" as const, text: value }, ...shown];
    return {
      type: "tool-result",
      toolCallId,
      toolName,
      output: { type: "content", value: content },
    };
  }
  const output = isError
    ? { type: "error-text" as const, value }
    : { type: "text" as const, value };
  return { type: "tool-result", toolCallId, toolName, output };
}

/** What a tool said, without its images. */
export function textOfOutput({ output }: ToolOutcome): string {
  if (output.type === "text" || output.type === "error-text") return output.value;
  if (output.type !== "content") return JSON.stringify(output);
  return output.value.map((part) => (part.type === "text" ? part.text : "[image]")).join("\n");
}

/** The text of a message without tool calls and reasoning. */
export function textOf(message: ModelMessage): string {
  if (typeof message.content === "string") return message.content;
  return message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
}
