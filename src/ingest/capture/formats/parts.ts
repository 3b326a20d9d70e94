import { isPlainObject } from "../../../shared/json.ts";
import type { RecordReader, TranscriptEntry } from "../transcript.ts";
import { inputIn, textIn, textOf } from "./content.ts";

/**
 * Reads `{type, content, toolCalls}` of Gemini CLI and `{type, message: {parts}}` of Qwen Code. Parts are
 * `text`, `functionCall` and `functionResponse`.
 */
export const readParts: RecordReader = (record) => {
  const by = SPEAKERS[textOf(record.type) ?? ""];
  if (by === undefined) return [];
  const message = isPlainObject(record.message) ? record.message : {};
  const parts = Array.isArray(message.parts) ? message.parts : [];
  const content = message.parts === undefined ? said(by, textIn(record.content)) : [];
  const calls = Array.isArray(record.toolCalls) ? record.toolCalls : [];
  return [
    ...content,
    ...parts.filter(isPlainObject).flatMap((part) => partEntries(by, part)),
    ...calls.filter(isPlainObject).flatMap(callEntries),
  ];
};

const SPEAKERS: Readonly<Record<string, "user" | "assistant">> = {
  user: "user",
  gemini: "assistant",
  assistant: "assistant",
  tool_result: "user",
};

function said(by: "user" | "assistant", text: string): TranscriptEntry[] {
  return text === "" ? [] : [{ kind: "said", by, text }];
}

function partEntries(by: "user" | "assistant", part: Record<string, unknown>): TranscriptEntry[] {
  if (isPlainObject(part.functionCall)) {
    const { id, name, args } = part.functionCall;
    return [{ kind: "call", id: textOf(id), tool: textOf(name) ?? "", input: inputIn(args) }];
  }
  if (isPlainObject(part.functionResponse)) {
    const { id, response } = part.functionResponse;
    const failed = isPlainObject(response) && response.error !== undefined ? true : undefined;
    const text = isPlainObject(response) ? textIn(response.error ?? response) : textIn(response);
    return [{ kind: "result", id: textOf(id), text, failed }];
  }
  return part.thought === true ? [] : said(by, textIn(part));
}

function callEntries(call: Record<string, unknown>): TranscriptEntry[] {
  const id = textOf(call.id);
  const failed = typeof call.status === "string" ? call.status === "error" : undefined;
  const text = textIn(call.resultDisplay) || textIn(resultParts(call.result));
  return [
    { kind: "call", id, tool: textOf(call.name) ?? "", input: inputIn(call.args) },
    { kind: "result", id, text, failed },
  ];
}

function resultParts(result: unknown): unknown {
  if (!Array.isArray(result)) return result;
  return result.map((part) => {
    const response = isPlainObject(part) ? part.functionResponse : undefined;
    return isPlainObject(response) ? response.response : part;
  });
}
