import { isPlainObject } from "../../../shared/json.ts";
import type { RecordReader } from "../transcript.ts";
import { inputIn, textIn, textOf } from "./content.ts";

/** Reads `{type: "user.message" | "assistant.message" | "tool.execution_…", data}` of Copilot CLI. */
export const readEvents: RecordReader = ({ type, data }) => {
  if (!isPlainObject(data)) return [];
  const id = textOf(data.toolCallId);
  switch (type) {
    case "user.message":
      return [{ kind: "said", by: "user", text: textIn(data.content) }];
    case "assistant.message":
      return [{ kind: "said", by: "assistant", text: textIn(data.content) }];
    case "tool.execution_start":
      return [
        { kind: "call", id, tool: textOf(data.toolName) ?? "", input: inputIn(data.arguments) },
      ];
    case "tool.execution_complete": {
      const failed = typeof data.success === "boolean" ? !data.success : undefined;
      return [{ kind: "result", id, text: textIn(data.result ?? data.error), failed }];
    }
    default:
      return [];
  }
};
