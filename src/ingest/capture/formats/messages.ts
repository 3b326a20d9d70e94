import { isPlainObject } from "../../../shared/json.ts";
import type { RecordReader, TranscriptEntry } from "../transcript.ts";
import { inputIn, textIn, textOf } from "./content.ts";

/** Reads `{info: {role}, parts}` of opencode. Parts are `text` and `tool`; a tool contains its result. */
export const readMessages: RecordReader = ({ info, parts }) => {
  const role = isPlainObject(info) ? info.role : undefined;
  if ((role !== "user" && role !== "assistant") || !Array.isArray(parts)) return [];
  return parts.filter(isPlainObject).flatMap((part): TranscriptEntry[] => {
    // Synthetic text was inserted by the program or a hook; nobody said it.
    if (part.type === "text" && part.synthetic !== true) {
      return [{ kind: "said", by: role, text: textIn(part.text) }];
    }
    return part.type === "tool" ? toolEntries(part) : [];
  });
};

function toolEntries(part: Readonly<Record<string, unknown>>): TranscriptEntry[] {
  const state = isPlainObject(part.state) ? part.state : {};
  const id = textOf(part.callID);
  const call = {
    kind: "call",
    id,
    tool: textOf(part.tool) ?? "",
    input: inputIn(state.input),
  } as const;
  if (state.status !== "completed" && state.status !== "error") return [call];
  const failed = state.status === "error";
  return [call, { kind: "result", id, text: textIn(failed ? state.error : state.output), failed }];
}
