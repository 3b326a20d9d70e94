import { isPlainObject } from "../../shared/json.ts";
import type { TranscriptEntry } from "./tool-calls.ts";
import { extractTypedText } from "./typed-text.ts";

type Fields = Readonly<Record<string, unknown>>;
type Speaker = "user" | "assistant";

/**
 * Reads one record. Returns undefined for another client's record and an empty list for text that
 * neither user nor assistant wrote.
 */
type RecordReader = (record: Fields) => readonly TranscriptEntry[] | undefined;

export function parseEntries(record: Fields): readonly TranscriptEntry[] {
  for (const read of RECORD_READERS) {
    const entries = read(record);
    if (entries !== undefined) return entries;
  }
  return [];
}

const readClaudeCode: RecordReader = (record) => {
  const { type, isSidechain, isMeta, isCompactSummary, isVisibleInTranscriptOnly } = record;
  if (type === "queue-operation") {
    // A message absorbed by the running turn appears nowhere else.
    const isTaken = record.operation === "remove" && record.reason === "absorbed_mid_turn";
    return isTaken ? createMessage("user", joinTexts(record.content)) : [];
  }
  const attachment = isPlainObject(record.attachment) ? record.attachment : undefined;
  if (type === "attachment" && attachment !== undefined) return parseQueuedCommand(attachment);
  if (!isPlainObject(record.message) || isPlainObject(record.data)) return undefined;
  if (Array.isArray(record.message.parts)) return undefined;
  if (isSidechain === true || isMeta === true || isCompactSummary === true) return [];
  if (isVisibleInTranscriptOnly === true) return [];
  if (typeof type === "string" && type !== "user" && type !== "assistant") return [];
  const role = parseSpeaker(record.message.role ?? record.role ?? type);
  if (role === undefined) return [];
  const isInjected = role === "user" && isPlainObject(record.origin) && !isHuman(record.origin);
  return parseBlocks(role, record.message.content).filter(
    ({ kind }) => kind !== "said" || !isInjected,
  );
};

function parseQueuedCommand({ type, commandMode, origin, prompt }: Fields): TranscriptEntry[] {
  const isPrompt = type === "queued_command" && (commandMode ?? "prompt") === "prompt";
  if (!isPrompt || (isPlainObject(origin) && !isHuman(origin))) return [];
  return createMessage("user", joinTexts(prompt));
}

const isHuman = ({ kind }: Fields) => kind === undefined || kind === "human";

/** Codex: `{type: "response_item", payload}` with items of the Responses API. */
const readCodex: RecordReader = (record) => {
  if (record.type !== "response_item" || !isPlainObject(record.payload)) return undefined;
  const item = record.payload;
  const id = asText(item.call_id) ?? asText(item.id);
  switch (item.type) {
    case "message": {
      const by = parseSpeaker(item.role);
      return by === undefined ? [] : createMessage(by, joinTexts(item.content));
    }
    case "function_call":
      return [createCall(id, item.name, item.arguments)];
    case "custom_tool_call":
      return [createCall(id, item.name, item.input)];
    case "local_shell_call":
      return [createCall(id, "shell", item.action)];
    case "function_call_output":
    case "custom_tool_call_output":
      return [{ kind: "result", id, text: joinTexts(item.output), failed: undefined }];
    default:
      return [];
  }
};

/** Copilot CLI: `{type: "user.message" | "assistant.message" | "tool.execution_…", data}`. */
const readCopilot: RecordReader = ({ type, data }) => {
  if (!isPlainObject(data) || typeof type !== "string" || !type.includes(".")) return undefined;
  const id = asText(data.toolCallId);
  const isSubagent = data.parentToolCallId !== undefined || data.agentId !== undefined;
  switch (type) {
    case "user.message":
      return isSubagent || (data.source !== undefined && data.source !== "user")
        ? []
        : createMessage("user", joinTexts(data.content));
    case "assistant.message":
      return isSubagent ? [] : createMessage("assistant", joinTexts(data.content));
    case "tool.execution_start":
      return [createCall(id, data.toolName, data.arguments)];
    case "tool.execution_complete": {
      const failed = typeof data.success === "boolean" ? !data.success : undefined;
      return [{ kind: "result", id, text: joinTexts(data.result ?? data.error), failed }];
    }
    default:
      return [];
  }
};

const GEMINI_SPEAKERS: Readonly<Record<string, Speaker>> = {
  user: "user",
  gemini: "assistant",
  assistant: "assistant",
  tool_result: "user",
};

/** Gemini CLI: `{type, content, toolCalls}`; Qwen Code: `{type, message: {parts}}`. */
const readGemini: RecordReader = (record) => {
  const by = GEMINI_SPEAKERS[asText(record.type) ?? ""];
  if (by === undefined || record.isSidechain === true) return by === undefined ? undefined : [];
  const message = isPlainObject(record.message) ? record.message : {};
  const parts = Array.isArray(message.parts) ? message.parts.filter(isPlainObject) : [];
  const calls = Array.isArray(record.toolCalls) ? record.toolCalls.filter(isPlainObject) : [];
  // Text of several parts belongs together: mentioned files have their markers in parts of their own.
  const text = message.parts === undefined ? record.content : parts.filter(isStated);
  return [
    ...createMessage(by, joinTexts(text)),
    ...parts.flatMap(parseParts),
    ...calls.flatMap(parseGeminiCall),
  ];
};

const isStated = ({ functionCall, functionResponse, thought }: Fields) =>
  functionCall === undefined && functionResponse === undefined && thought !== true;

function parseParts(part: Fields): TranscriptEntry[] {
  if (isPlainObject(part.functionCall)) {
    const { id, name, args } = part.functionCall;
    return [createCall(asText(id), name, args)];
  }
  if (isPlainObject(part.functionResponse)) {
    const { id, response } = part.functionResponse;
    const failed = isPlainObject(response) && response.error !== undefined ? true : undefined;
    const text = isPlainObject(response)
      ? joinTexts(response.error ?? response)
      : joinTexts(response);
    return [{ kind: "result", id: asText(id), text, failed }];
  }
  return [];
}

function parseGeminiCall(called: Fields): TranscriptEntry[] {
  const id = asText(called.id);
  const failed = called.status === "error" ? true : undefined;
  // The exit code appears only in the result for the model.
  const text = [called.resultDisplay, listResponses(called.result)].map(joinTexts).filter(Boolean);
  return [
    createCall(id, called.name, called.args),
    { kind: "result", id, text: [...new Set(text)].join("\n"), failed },
  ];
}

function listResponses(result: unknown): unknown {
  if (!Array.isArray(result)) return result;
  return result.map((part) => {
    const response = isPlainObject(part) ? part.functionResponse : undefined;
    return isPlainObject(response) ? response.response : part;
  });
}

/** opencode: `{info: {role}, parts}`; `tool` parts contain their result. */
const readOpencode: RecordReader = ({ info, parts }) => {
  if (!isPlainObject(info) || !Array.isArray(parts)) return undefined;
  const role = parseSpeaker(info.role);
  // The assistant wrote this compaction summary.
  if (role === undefined || info.summary === true) return [];
  return parts.filter(isPlainObject).flatMap((part): TranscriptEntry[] => {
    // Synthetic text was inserted by the program or a hook.
    const isStated = part.type === "text" && part.synthetic !== true && part.ignored !== true;
    if (isStated) return createMessage(role, joinTexts(part.text));
    return part.type === "tool" ? parseOpencodeTool(part) : [];
  });
};

function parseOpencodeTool(part: Fields): TranscriptEntry[] {
  const state = isPlainObject(part.state) ? part.state : {};
  const id = asText(part.callID);
  const called = createCall(id, part.tool, state.input);
  if (state.status !== "completed" && state.status !== "error") return [called];
  const isError = state.status === "error";
  const exit = isPlainObject(state.metadata) ? state.metadata.exit : undefined;
  const failed = isError || (typeof exit === "number" && exit !== 0);
  return [
    called,
    { kind: "result", id, text: joinTexts(isError ? state.error : state.output), failed },
  ];
}

/** Cline 3, Goose and Cursor's database: `{role, content}` with text or blocks. */
const readBare: RecordReader = (record) => {
  const role = parseSpeaker(record.role);
  const { content, metadata } = record;
  if (role === undefined || (typeof content !== "string" && !Array.isArray(content))) {
    return undefined;
  }
  if (isPlainObject(metadata) && metadata.userVisible === false) return [];
  return parseBlocks(role, content);
};

const RECORD_READERS: readonly RecordReader[] = [
  readClaudeCode,
  readCodex,
  readCopilot,
  readOpencode,
  readGemini,
  readBare,
];

/**
 * Reads blocks `text`, `tool_use` and `tool_result`, the text blocks of early Codex sessions, and
 * Goose's `toolRequest` and `toolResponse`.
 */
function parseBlocks(role: Speaker, content: unknown): TranscriptEntry[] {
  const blocks = Array.isArray(content) ? content : [content];
  return blocks.flatMap((block): TranscriptEntry[] => {
    if (typeof block === "string") return createMessage(role, block);
    if (!isPlainObject(block)) return [];
    const id = asText(block.id) ?? asText(block.tool_use_id);
    switch (block.type) {
      case "tool_use":
        return [createCall(id, block.name, block.input)];
      case "tool_result": {
        const failed = typeof block.is_error === "boolean" ? block.is_error : undefined;
        return [{ kind: "result", id, text: joinTexts(block.content), failed }];
      }
      case "toolRequest": {
        const { name, arguments: input } = parseRustResult(block.toolCall);
        // Goose prefixes tool names with the extension: `developer__shell`.
        return [createCall(id, (asText(name) ?? "").replace(/^.*__/, ""), input)];
      }
      case "toolResponse":
        return [parseGooseResult(id, block.toolResult)];
      case "text":
      case "input_text":
      case "output_text":
        return createMessage(role, asText(block.text) ?? "");
      default:
        return [];
    }
  });
}

function parseGooseResult(id: string | undefined, input: unknown): TranscriptEntry {
  const result = isPlainObject(input) ? input : {};
  const value = result.value ?? result.Ok;
  const isError = isPlainObject(value) && value.isError === true;
  const failed = result.status === "error" || result.Err !== undefined || isError;
  return { kind: "result", id, text: joinTexts(value ?? result.error ?? result.Err), failed };
}

/** Reads both JSON forms of a Rust `Result`. */
function parseRustResult(result: unknown): Fields {
  const value = isPlainObject(result) ? (result.value ?? result.Ok) : undefined;
  return isPlainObject(value) ? value : {};
}

function createMessage(by: Speaker, text: string): TranscriptEntry[] {
  const words = extractTypedText(text);
  return words === "" ? [] : [{ kind: "said", by, text: words }];
}

function createCall(id: string | undefined, name: unknown, input: unknown): TranscriptEntry {
  return { kind: "call", id, tool: asText(name) ?? "", input: parseInput(input) };
}

function parseSpeaker(role: unknown): Speaker | undefined {
  return role === "user" || role === "assistant" ? role : undefined;
}

const MAX_NESTED = 8;

/** Returns the text of a string, a text block, or a list of either. */
export function joinTexts(content: unknown, depth = 0): string {
  if (typeof content === "string") return content;
  if (depth > MAX_NESTED) return "";
  if (Array.isArray(content)) {
    return content
      .map((one) => joinTexts(one, depth + 1))
      .filter(Boolean)
      .join("\n");
  }
  if (!isPlainObject(content)) return "";
  for (const key of ["text", "content", "output", "llmContent", "textResultForLlm", "message"]) {
    const text = joinTexts(content[key], depth + 1);
    if (text !== "") return text;
  }
  return "";
}

function parseInput(value: unknown): Fields {
  if (isPlainObject(value)) return value;
  if (typeof value !== "string") return {};
  try {
    const parsed: unknown = JSON.parse(value);
    return isPlainObject(parsed) ? parsed : {};
  } catch {
    return { text: value };
  }
}

function asText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
