import { isPlainObject } from "../../kernel/json.ts";
import type { RecordReader } from "../transcript.ts";
import { readBlocks } from "./blocks.ts";

/**
 * `{role, content}` with a text or blocks, as they go to Anthropic's service: the
 * `api_conversation_history.json` of Cline 3, one list of them. What Cline puts around the words of a
 * person, `<task>` and the like, is taken off; what it says of the editor is left out elsewhere.
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
