import { isPlainObject } from "../../../shared/json.ts";
import type { TranscriptEntry } from "../transcript.ts";
import { inputIn, textIn, textOf } from "./content.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads `toolRequest` and `toolResponse` of Goose, which puts the extension before a tool's name:
 * `developer__shell`.
 */
export function gooseBlock(block: Fields): TranscriptEntry[] | undefined {
  const id = textOf(block.id);
  if (block.type === "toolRequest") {
    const call = calledIn(block.toolCall);
    const tool = (textOf(call.name) ?? "").replace(/^.*__/, "");
    return [{ kind: "call", id, tool, input: inputIn(call.arguments) }];
  }
  if (block.type !== "toolResponse") return undefined;
  const result = isPlainObject(block.toolResult) ? block.toolResult : {};
  const value = result.value ?? result.Ok;
  const isError = isPlainObject(value) && value.isError === true;
  const failed = result.status === "error" || result.Err !== undefined || isError;
  return [{ kind: "result", id, text: textIn(value ?? result.error ?? result.Err), failed }];
}

/** The content of a Rust result, in both ways of writing one. */
function calledIn(result: unknown): Fields {
  const value = isPlainObject(result) ? (result.value ?? result.Ok) : undefined;
  return isPlainObject(value) ? value : {};
}
