import type { LanguageModelUsage, ModelMessage, TextStreamPart, ToolSet } from "ai";
import { CairnError } from "../shared/errors.ts";
import { isPlainObject } from "../shared/json.ts";
import type { ModelAnswer, ModelRequest, RequestedToolCall, ToolDefinition } from "./model-port.ts";
import type { CountedTokens } from "./price.ts";
import { addCacheMarkers, type LoadedModel } from "./provider-endpoint.ts";
import { StreamBroken, StreamError } from "./provider-error.ts";
import type { CallProgress } from "./providers/chat-stream.ts";
import { readArguments, resolveToolName } from "./read-arguments.ts";
import { createCallId, isStorableCallId, storedToolName } from "./stored-call.ts";

/** Aborts a request after a period without content; pings do not count. */
class SilenceWatch {
  readonly #controller = new AbortController();
  readonly #limitMs: number;
  #timer: NodeJS.Timeout | undefined;
  #isSilent = false;

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
    this.heard();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  heard(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#isSilent = true;
      this.#controller.abort();
    }, this.#limitMs);
  }

  giveUp(): void {
    this.stop();
    this.#controller.abort();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  throwIfSilent(): void {
    if (!this.#isSilent) return;
    throw new CairnError(
      "unavailable",
      `The provider sent no data for ${this.#limitMs / 1000} s. Send the message again, or choose ` +
        "another model or a lower effort.",
    );
  }
}

/** Maximum characters of one response. */
const MAX_ANSWER_CHARACTERS = 1_000_000;

/**
 * Streams one attempt. Throws the library's errors, or a CairnError after `idleTimeoutMs` of
 * silence.
 */
export async function requestAnswer(
  loaded: LoadedModel,
  request: ModelRequest,
  idleTimeoutMs: number,
): Promise<ModelAnswer> {
  const { streamText } = await loadSdk();
  const watch = new SilenceWatch(idleTimeoutMs);
  const { system, messages: prompt, options } = addCacheMarkers(loaded, request);
  const result = streamText({
    model: loaded.model,
    system,
    messages: prompt,
    tools: await createToolSet(request.tools),
    ...(request.toolChoice !== undefined && { toolChoice: request.toolChoice }),
    ...(request.maxOutputTokens !== undefined && { maxOutputTokens: request.maxOutputTokens }),
    maxRetries: 0,
    abortSignal: AbortSignal.any([request.signal, watch.signal]),
    includeRawChunks: true,
    onError: ignoreError,
    ...(options !== undefined && { providerOptions: options }),
  });
  const answer = new AnswerParts(request);
  try {
    for await (const part of result.fullStream) {
      if (CONTAINS_TEXT.has(part.type) || hasCallProgress(part)) watch.heard();
      answer.add(part);
      if (answer.isTooLong) {
        watch.giveUp();
        return answer.cutOff();
      }
    }
  } catch (error) {
    request.signal.throwIfAborted();
    watch.throwIfSilent();
    throw error;
  } finally {
    watch.stop();
  }
  request.signal.throwIfAborted();
  watch.throwIfSilent();
  answer.checkComplete();
  const { messages } = await result.response;
  return answer.complete(messages);
}

type StreamPart = TextStreamPart<ToolSet>;

const CONTAINS_TEXT: ReadonlySet<StreamPart["type"]> = new Set([
  "text-delta",
  "reasoning-delta",
  "tool-input-start",
  "tool-input-delta",
  "tool-call",
  "finish-step",
]);

function hasCallProgress(part: StreamPart): boolean {
  return part.type === "raw" && isPlainObject(part.rawValue) && "call_progress" in part.rawValue;
}

class AnswerParts {
  readonly #request: ModelRequest;
  readonly #takenIds: Set<string>;
  readonly #calls: RequestedToolCall[] = [];
  readonly #streaming = new Map<string, string>();
  #text = "";
  #refusal = "";
  #length = 0;
  #isFinished = false;
  #hasReason: boolean | undefined;
  #cut: ModelAnswer["cut"];
  #usage: CountedTokens = { inputTokens: 0, outputTokens: 0 };

  constructor(request: ModelRequest) {
    this.#request = request;
    this.#takenIds = new Set(request.messages.flatMap(collectCallIds));
  }

  get isTooLong(): boolean {
    return this.#length > MAX_ANSWER_CHARACTERS;
  }

  add(part: StreamPart): void {
    switch (part.type) {
      case "text-delta":
        this.#say(part.text);
        return;
      case "reasoning-delta":
        this.#length += part.text.length;
        this.#request.onReasoning?.(part.text);
        return;
      case "tool-input-start":
        this.#streaming.set(part.id, part.toolName);
        this.#request.onToolInput?.(part.toolName, 0);
        return;
      case "tool-input-delta":
        this.#length += part.delta.length;
        this.#request.onToolInput?.(this.#streaming.get(part.id) ?? "", part.delta.length);
        return;
      case "tool-call":
        this.#calls.push(
          this.#storable(
            readCall(
              part,
              this.#request.tools.map(({ name }) => name),
            ),
          ),
        );
        return;
      case "raw":
        this.#readRaw(part.rawValue);
        return;
      case "error":
        throw part.error instanceof Error ? part.error : new StreamError(part.error);
      case "finish-step":
        this.#isFinished = part.rawFinishReason !== undefined || part.finishReason !== "other";
        this.#cut = toCutReason(part.finishReason);
        this.#usage = countTokens(part.usage);
        return;
      default:
    }
  }

  checkComplete(): void {
    if (!this.#isFinished || this.#hasReason === false)
      throw new StreamBroken("the response ended before it was complete");
    if (this.#text.trim() === "" && this.#calls.length === 0) {
      if (this.#refusal.trim() !== "") {
        this.#say(this.#refusal);
        this.#cut ??= "refused";
      } else if (this.#cut === undefined) throw new StreamBroken("the response was empty");
    }
  }

  complete(messages: readonly ModelMessage[]): ModelAnswer {
    const message = assistantMessage(messages, this.#calls);
    const isEmpty = message.content.length === 0;
    return this.#answer(isEmpty || this.#cut === "refused" ? this.#asText() : message);
  }

  #readRaw(event: unknown): void {
    if (!isPlainObject(event)) return;
    if (event.error !== undefined && event.error !== null) throw new StreamError(event.error);
    this.#refusal += findRefusal(event);
    for (const progress of Array.isArray(event.call_progress) ? event.call_progress : []) {
      const { name, added } = progress as CallProgress;
      this.#length += added;
      this.#request.onToolInput?.(name, added);
    }
    if (!Array.isArray(event.choices)) return;
    const isEnd = event.choices.some((choice) => isPlainObject(choice) && choice.finish_reason);
    this.#hasReason = this.#hasReason === true || isEnd;
  }

  cutOff(): ModelAnswer {
    this.#cut = "size";
    this.#calls.length = 0;
    return this.#answer(this.#asText());
  }

  #asText(): ModelAnswer["message"] {
    return { role: "assistant", content: this.#text === "" ? "(no answer)" : this.#text };
  }

  #answer(message: ModelAnswer["message"]): ModelAnswer {
    const calls = this.#calls;
    const text = this.#text;
    const cut = this.#cut;
    const usage = this.#usage;
    return { message, text, toolCalls: calls, usage, ...(cut !== undefined && { cut }) };
  }

  #say(text: string): void {
    if (text === "") return;
    this.#text += text;
    this.#length += text.length;
    this.#request.onText?.(text);
  }

  #storable(call: RequestedToolCall): RequestedToolCall {
    const isFree = isStorableCallId(call.callId) && !this.#takenIds.has(call.callId);
    const callId = isFree ? call.callId : createCallId();
    this.#takenIds.add(callId);
    return { ...call, callId, name: storedToolName(call.name) };
  }
}

function countTokens({
  inputTokens = 0,
  outputTokens = 0,
  inputTokenDetails,
}: LanguageModelUsage): CountedTokens {
  const { cacheReadTokens = 0, cacheWriteTokens = 0 } = inputTokenDetails;
  return {
    inputTokens,
    outputTokens,
    ...(cacheReadTokens > 0 && { cachedTokens: cacheReadTokens }),
    ...(cacheWriteTokens > 0 && { cacheWriteTokens }),
  };
}

function collectCallIds(message: ModelMessage): string[] {
  if (typeof message.content === "string") return [];
  return message.content.flatMap((part) => (part.type === "tool-call" ? [part.toolCallId] : []));
}

function toCutReason(reason: string): ModelAnswer["cut"] {
  if (reason === "length") return "length";
  return reason === "content-filter" ? "filter" : undefined;
}

function findRefusal(chunk: Readonly<Record<string, unknown>>): string {
  const choices = Array.isArray(chunk.choices) ? chunk.choices : [];
  const delta = isPlainObject(choices[0]) ? choices[0].delta : undefined;
  return isPlainObject(delta) && typeof delta.refusal === "string" ? delta.refusal : "";
}

export async function loadSdk() {
  // The SDK prints provider warnings to the console, which belongs to the surfaces.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
  return import("ai");
}

async function createToolSet(definitions: readonly ToolDefinition[]): Promise<ToolSet> {
  const { jsonSchema, tool } = await import("ai");
  return Object.fromEntries(
    definitions.map(({ name, description, inputSchema }) => [
      name,
      tool({ description, inputSchema: jsonSchema(inputSchema) }),
    ]),
  );
}

function readCall(
  { toolCallId: callId, toolName, input }: { toolCallId: string; toolName: string; input: unknown },
  offered: readonly string[],
): RequestedToolCall {
  const name = resolveToolName(toolName, offered);
  const read = readArguments(input);
  if ("value" in read) return { callId, name, input: read.value };
  const text = typeof input === "string" ? input : JSON.stringify(input ?? null);
  return { callId, name, input: { malformed_arguments: text }, malformed: read.problem };
}

function assistantMessage(
  messages: readonly ModelMessage[],
  calls: readonly RequestedToolCall[],
): ModelAnswer["message"] {
  const parts = messages.flatMap((message) => {
    if (message.role !== "assistant") return [];
    if (typeof message.content === "string") {
      return [{ type: "text" as const, text: message.content }];
    }
    return message.content.filter((part) => part.type !== "tool-approval-request");
  });
  const next = calls[Symbol.iterator]();
  const content = parts.map((part) => {
    if (part.type !== "tool-call") return part;
    const call = next.next().value;
    if (call === undefined) return part;
    return { ...part, toolCallId: call.callId, toolName: call.name, input: call.input };
  });
  return { role: "assistant", content };
}

function ignoreError(): void {
  // Expected: the stream reports the same error.
}
