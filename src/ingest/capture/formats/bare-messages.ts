import { isPlainObject } from "../../../shared/json.ts";
import type { RecordReader } from "../transcript.ts";
import { readBlocks } from "./blocks.ts";

/**
 * Reads `{role, content}` with a text or blocks, as sent to Anthropic's service. Cline 3 stores one list of
 * them in `api_conversation_history.json`. Cline's wrappers around a person's words, such as `<task>`, are
 * removed; its notes about the editor are removed elsewhere.
 */
export const readBareMessages: RecordReader = (record) => {
  const { role, content } = record;
  if (role !== "user" && role !== "assistant") return [];
  if (typeof content !== "string" && !Array.isArray(content)) return [];
  if (isPlainObject(record.message)) return [];
  return readBlocks({ message: { role, content } }).map((entry) =>
    entry.kind === "said" && entry.by === "user"
      ? { ...entry, text: entry.text.replaceAll(/<\/?(?:task|feedback|user_message)>/g, "").trim() }
      : entry,
  );
};
