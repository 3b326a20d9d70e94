import { isPlainObject } from "../../../shared/json.ts";
import type { RecordReader } from "../transcript.ts";
import { inputIn, textIn, textOf } from "./content.ts";

/** Reads Codex's `{type: "response_item", payload}` with items of the Responses API. */
export const readResponses: RecordReader = (record) => {
  const item =
    record.type === "response_item" && isPlainObject(record.payload) ? record.payload : {};
  const id = textOf(item.call_id) ?? textOf(item.id);
  switch (item.type) {
    case "message": {
      const by = item.role === "user" || item.role === "assistant" ? item.role : undefined;
      return by === undefined ? [] : [{ kind: "said", by, text: textIn(item.content) }];
    }
    case "function_call":
      return [{ kind: "call", id, tool: textOf(item.name) ?? "", input: inputIn(item.arguments) }];
    case "custom_tool_call":
      return [{ kind: "call", id, tool: textOf(item.name) ?? "", input: inputIn(item.input) }];
    case "local_shell_call":
      return [{ kind: "call", id, tool: "shell", input: inputIn(item.action) }];
    case "function_call_output":
    case "custom_tool_call_output":
      return [{ kind: "result", id, text: textIn(item.output), failed: undefined }];
    default:
      return [];
  }
};
