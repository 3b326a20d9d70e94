import type { ModelMessage, ToolSet } from "ai";
import { randomIds } from "../kernel/ids.ts";
import { isPlainObject } from "../kernel/json.ts";
import type { ModelAnswer, ModelRequest, RequestedToolCall, ToolOffer } from "./model-port.ts";
import type { LoadedModel } from "./provider-endpoint.ts";
import { StreamBroken } from "./provider-error.ts";

/** One attempt: streams the answer of the model. Throws what the provider's library throws. */
export async function requestAnswer(
  { model, options }: LoadedModel,
  request: ModelRequest,
): Promise<ModelAnswer> {
  const { streamText } = await loadSdk();
  const result = streamText({
    model,
    system: request.system,
    messages: [...request.messages],
    tools: await toolSet(request.tools),
    ...(request.toolChoice === undefined ? {} : { toolChoice: request.toolChoice }),
    maxRetries: 0,
    abortSignal: request.signal,
    onError: ignore,
    ...(options === undefined ? {} : { providerOptions: options }),
  });
  const state = { text: "", calls: [] as RequestedToolCall[], finished: false, tokens: [0, 0] };
  for await (const part of result.fullStream) {
    if (part.type === "text-delta" && part.text !== "") {
      state.text += part.text;
      request.onText?.(part.text);
    } else if (part.type === "tool-call") {
      state.calls.push(withFreshId(readCall(part), state.calls));
    } else if (part.type === "error") {
      throw part.error;
    } else if (part.type === "abort") {
      request.signal.throwIfAborted();
    } else if (part.type === "finish-step") {
      state.finished = part.rawFinishReason !== undefined || part.finishReason !== "other";
      state.tokens = [part.usage.inputTokens ?? 0, part.usage.outputTokens ?? 0];
    }
  }
  request.signal.throwIfAborted();
  if (!state.finished) throw new StreamBroken("the answer ended before it was complete");
  if (state.text.trim() === "" && state.calls.length === 0) {
    throw new StreamBroken("the answer was empty");
  }
  const { messages } = await result.response;
  return {
    message: assistantMessage(messages, state.calls),
    text: state.text,
    toolCalls: state.calls,
    usage: { inputTokens: state.tokens[0] ?? 0, outputTokens: state.tokens[1] ?? 0 },
  };
}

export async function loadSdk() {
  // The SDK prints provider warnings to the console, which belongs to the surfaces.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
  return import("ai");
}

async function toolSet(offers: readonly ToolOffer[]): Promise<ToolSet> {
  const { jsonSchema, tool } = await import("ai");
  return Object.fromEntries(
    offers.map(({ name, description, inputSchema }) => [
      name,
      tool({ description, inputSchema: jsonSchema(inputSchema) }),
    ]),
  );
}

function readCall(part: {
  toolCallId: string;
  toolName: string;
  input: unknown;
  invalid?: boolean | undefined;
  error?: unknown;
}): RequestedToolCall {
  const { toolCallId: callId, toolName: name, input } = part;
  if (isPlainObject(input)) return { callId, name, input };
  const text = typeof input === "string" ? input : JSON.stringify(input ?? null);
  return { callId, name, input: { malformed_arguments: text }, malformed: malformedReason(text) };
}

function malformedReason(text: string): string {
  try {
    JSON.parse(text);
    return "The arguments have to be a JSON object.";
  } catch (error) {
    return `The arguments are not valid JSON: ${error instanceof Error ? error.message : text}`;
  }
}

/** Some servers number the calls of every answer alike, or give none at all an id. */
function withFreshId(
  call: RequestedToolCall,
  earlier: readonly RequestedToolCall[],
): RequestedToolCall {
  const taken = call.callId === "" || earlier.some(({ callId }) => callId === call.callId);
  return taken ? { ...call, callId: randomIds.next("call_") } : call;
}

/** Providers refuse a history whose tool inputs are no objects, so unreadable ones are wrapped. */
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
    return call === undefined ? part : { ...part, toolCallId: call.callId, input: call.input };
  });
  return { role: "assistant", content };
}

function ignore(): void {
  // The same error arrives as a part of the stream.
}
