import { isPlainObject } from "../../../shared/json.ts";
import type { RecordReader, TranscriptEntry } from "../transcript.ts";
import { inputIn, textIn, textOf } from "./content.ts";
import { gooseBlock } from "./goose-block.ts";

/**
 * Reads `{type, message: {role, content}}` or `{role, message: {content}}` of Claude Code and Cursor. Content
 * is a text or blocks `text`, `tool_use`, `tool_result`.
 */
export const readBlocks: RecordReader = (record) => {
  // Text that the client inserted: reminders, the context of hooks, a summary.
  if (record.isMeta === true || record.isCompactSummary === true) return [];
  const message = isPlainObject(record.message) ? record.message : undefined;
  if (message === undefined || message.content === undefined) return [];
  const role = textOf(message.role) ?? textOf(record.role) ?? textOf(record.type);
  if (role !== "user" && role !== "assistant") return [];
  const blocks = Array.isArray(message.content) ? message.content : [message.content];
  return blocks.flatMap((block): TranscriptEntry[] => {
    if (typeof block === "string") return [{ kind: "said", by: role, text: block }];
    if (!isPlainObject(block)) return [];
    const id = textOf(block.id) ?? textOf(block.tool_use_id);
    if (block.type === "tool_use") {
      return [{ kind: "call", id, tool: textOf(block.name) ?? "", input: inputIn(block.input) }];
    }
    if (block.type === "tool_result") {
      const failed = typeof block.is_error === "boolean" ? block.is_error : undefined;
      return [{ kind: "result", id, text: textIn(block.content), failed }];
    }
    const told = gooseBlock(block);
    if (told !== undefined) return told;
    const text = block.type === "text" ? textOf(block.text) : undefined;
    return text === undefined ? [] : [{ kind: "said", by: role, text }];
  });
};
