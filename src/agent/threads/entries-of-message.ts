import type { TranscriptEntry } from "../../ingest/capture/index.ts";
import type { ModelMessage } from "../../llm/index.ts";
import { isPlainObject } from "../../shared/json.ts";
import { saidText } from "../loop/said-text.ts";

/** What a message of a conversation says and does, as transcripts of clients have it. */
export function entriesOfMessage(message: ModelMessage): TranscriptEntry[] {
  if (message.role === "user") return [{ kind: "said", by: "user", text: saidText(message) }];
  if (message.role === "assistant") {
    if (typeof message.content === "string") {
      return [{ kind: "said", by: "assistant", text: message.content }];
    }
    return message.content.flatMap((part): TranscriptEntry[] => {
      if (part.type === "text") return [{ kind: "said", by: "assistant", text: part.text }];
      if (part.type !== "tool-call") return [];
      const input = isPlainObject(part.input) ? part.input : {};
      return [{ kind: "call", id: part.toolCallId, tool: part.toolName, input }];
    });
  }
  if (message.role !== "tool") return [];
  return message.content.flatMap((part): TranscriptEntry[] => {
    if (part.type !== "tool-result") return [];
    const { output } = part;
    const text = output.type === "text" || output.type === "error-text" ? output.value : "";
    return [{ kind: "result", id: part.toolCallId, text, failed: output.type === "error-text" }];
  });
}
